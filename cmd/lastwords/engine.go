package main

import (
	"context"
	"io"
	"io/fs"
	"time"

	"lastwords/classify"
	"lastwords/rules"
)

// Engine is what the command line drives: reading, classifying and the rules. wire.go fills it from the other packages,
// tests with hand-made reports.
type Engine struct {
	// Classify reads every argument and returns the finished report. When ctx ends it returns what was finished until
	// then, without an error. An error means that nothing could be done at all (a bad rule file); an input that could
	// not be read is a Problem of the report.
	Classify func(ctx context.Context, job Job) (*classify.Report, Stats, error)

	// Rules returns the built-in rules, with those of dir added or put in their place by id; dir may be nil.
	Rules func(dir fs.FS) ([]*rules.Rule, error)

	// TestRules runs the fires and silent lines of the rules of dir, or of the built-in ones where dir is nil.
	TestRules func(dir fs.FS) []RuleFailure

	Explain func(name string) (rules.Entry, bool)
	Entries func() []rules.Entry // in the order of DESIGN.md's tables
}

// Job is what one call of Classify has to do.
type Job struct {
	Args  []string // as given; "-" is Stdin
	Tree  bool     // directories, archives and buckets are walked; otherwise every argument is one log
	Stdin io.Reader
	Rules fs.FS // the user's own rules, or nil

	Now              time.Time
	LogZone          *time.Location
	LogZoneAmbiguous bool // joins by time are not to be trusted
	HeartbeatTimeout time.Duration
	RetryDelay       time.Duration
	Full             bool
	LineNumbers      bool
	TailWindow       int64 // bytes; 0: the default of each source
	Given            classify.Identity
	Workers          int // 0: as many as there are processors

	Progress func(logs int, bytes int64) // may be nil; may be called by any goroutine
}

// Stats is what a run took. It is no part of the report.
type Stats struct {
	Files     int   // files or objects opened
	Skipped   int   // files that were looked at and left alone
	BytesRead int64 // bytes fetched from disk, network or pipe
	BytesSize int64 // bytes there
	Requests  int64 // to a bucket
	CacheHits int64
}

// RuleFailure is a line on which a rule fired and must not, or did not and must, or a rule file that cannot be read.
type RuleFailure struct {
	File string
	Line int
	Rule string
	Says string
}
