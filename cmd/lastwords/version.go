package main

import (
	"runtime"
	"runtime/debug"
)

// version and commit are set by -ldflags "-X main.version=… -X main.commit=…"; without them the module's build
// information is used.
var version, commit string

// versionLine is what --version prints.
func versionLine() string {
	v, c, dirty := version, commit, false
	if info, ok := debug.ReadBuildInfo(); ok {
		if v == "" {
			v = info.Main.Version
		}
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision" && c == "":
				c = s.Value
			case s.Key == "vcs.modified":
				dirty = commit == "" && s.Value == "true"
			}
		}
	}
	if v == "" || v == "(devel)" {
		v = "devel"
	}
	if c == "" {
		c = "unknown"
	}
	if len(c) > 12 {
		c = c[:12]
	}
	if dirty {
		c += " (modified)"
	}
	return "lastwords " + v + " commit " + c + " " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
}
