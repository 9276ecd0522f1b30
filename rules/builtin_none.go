//go:build bootstrap

package rules

// The generator builds without what it generates, so that it runs whatever became of builtin_gen.go.

var (
	builtinRules   [0]Rule
	builtinEntries [0]Entry
)
