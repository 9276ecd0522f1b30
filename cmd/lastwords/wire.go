package main

import (
	"context"
	"errors"
	"io/fs"

	"lastwords/classify"
	"lastwords/rules"
)

// wired connects the command line with packages sources, classify and rules.
func wired() Engine {
	return Engine{
		Classify: func(context.Context, Job) (*classify.Report, Stats, error) {
			return nil, Stats{}, errors.New("no classifier in this build")
		},
		Rules:     func(fs.FS) ([]*rules.Rule, error) { return nil, nil },
		TestRules: func(fs.FS) []RuleFailure { return nil },
		Explain:   func(string) (rules.Entry, bool) { return rules.Entry{}, false },
		Entries:   func() []rules.Entry { return nil },
	}
}
