package sources

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// followed decides which symbolic links of a walk lead to something new. What lies inside of a tree that is walked
// anyway is read there, under its own name, and a file or tree outside is read once, under the first link to it by
// name. So Airflow's logs/scheduler/latest does not show everything twice.
type followed struct {
	*walk
	roots []root
	files map[string]bool // real paths of files read through links
}

// root is a directory that is or was walked with all that is in it.
type root struct {
	name string
	real string   // absolute, without links
	via  []string // real directories in which the links to it stand
}

func (f *followed) add(name string, via []string) bool {
	real, err := realPath(name)
	if err != nil {
		return false
	}
	f.roots = append(f.roots, root{name, real, via})
	return true
}

// follow takes the links that the last run met and returns what is new behind them.
func (f *followed) follow() []item {
	links := f.links
	f.links = nil
	slices.Sort(links)
	var items []item
	var files []string
	for _, link := range links {
		real, err := realPath(link)
		var info fs.FileInfo
		if err == nil {
			info, err = os.Stat(real)
		}
		if err != nil {
			f.u.problem(linkTrouble(link, err))
			continue
		}
		switch mode := info.Mode(); {
		case mode.IsDir():
			via := f.via(link)
			if slices.ContainsFunc(via, func(dir string) bool { return within(dir, real) }) {
				f.u.problem(Problem{link, fmt.Errorf("%w: it leads back to %s", errLoop, real), "it is not followed; see: ls -l " + quote(link)})
				continue
			}
			if f.walked(real) {
				continue
			}
			f.skipInside(link, real)
			f.roots = append(f.roots, root{link, real, via})
			items = append(items, item{path: link})
		case mode.IsRegular():
			if !f.walked(real) && !f.files[real] {
				if f.files == nil {
					f.files = map[string]bool{}
				}
				f.files[real] = true
				files = append(files, link)
			}
		default:
			f.u.problem(notLog(link, mode))
		}
	}
	for batch := range slices.Chunk(files, splitFrom) {
		items = append(items, item{files: batch})
	}
	return items
}

// via is the real directories through which the walk came to link.
func (f *followed) via(link string) []string {
	var from root
	for _, r := range f.roots {
		if len(r.name) >= len(from.name) && within(link, r.name) || r.name == "." && from.name == "" {
			from = r
		}
	}
	via := slices.Clone(from.via)
	if dir, err := realPath(filepath.Dir(link)); err == nil {
		via = append(via, dir)
	}
	return via
}

// walked says whether a real path lies in a tree that is walked.
func (f *followed) walked(real string) bool {
	return slices.ContainsFunc(f.roots, func(r root) bool { return within(real, r.real) })
}

// skipInside has the walk of link pass over trees inside of it that were walked already.
func (f *followed) skipInside(link, real string) {
	for _, r := range f.roots {
		if within(r.real, real) {
			if f.skip == nil {
				f.skip = map[string]bool{}
			}
			rel, _ := filepath.Rel(real, r.real)
			f.skip[join(link, filepath.ToSlash(rel))] = true
		}
	}
}

// within says whether path is dir or lies in it.
func within(path, dir string) bool {
	path, dir = filepath.ToSlash(path), strings.TrimSuffix(filepath.ToSlash(dir), "/")
	return strings.HasPrefix(path, dir) && (len(path) == len(dir) || path[len(dir)] == '/')
}

func realPath(name string) (string, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// linkTrouble is the problem of a link that leads nowhere.
func linkTrouble(link string, err error) Problem {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, lost := os.Lstat(link); lost != nil {
			return trouble(link, bare(err), true)
		}
		target, _ := os.Readlink(link)
		return Problem{link, fmt.Errorf("symbolic link to %s, which does not exist here: %w", target, bare(err)),
			"copy what it leads to as well, or remove the link"}
	case strings.Contains(err.Error(), "too many links"): // filepath.EvalSymlinks has no other mark for it
		return Problem{link, fmt.Errorf("%w: %w", errLoop, bare(err)), "see where it leads: ls -l " + quote(link)}
	}
	return trouble(link, err, true)
}
