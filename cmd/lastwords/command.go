package main

import (
	"context"

	"github.com/urfave/cli/v2"
)

// defaultCommand is the command that runs where none is named.
const defaultCommand = "classify"

// commands defines the command line. The first one is the default; of subcommands, too, the first.
func (p *program) commands() []*cli.Command {
	return []*cli.Command{
		{Name: defaultCommand, Hidden: true, ArgsUsage: "[LOG|-]...", Flags: reportFlags(), Action: p.classify,
			Usage: "say how each try ended; reads stdin when piped"},
		{Name: "scan", ArgsUsage: "SOURCE...", Flags: reportFlags(), Action: p.scan,
			Usage: "read a directory, a whole log tree or an archive in one go"},
		{Name: "timeline", ArgsUsage: "SOURCE...", Flags: reportFlags(), Action: p.timeline,
			Usage: "draw what the retries cost, one timeline per task instance with more than one try"},
		{Name: "rules", Usage: "list, show or test the rules, also your own (--rules DIR)", Subcommands: []*cli.Command{
			{Name: "list", Usage: "all rules, one a line", Flags: ruleFlags(), Action: p.rulesList},
			{Name: "show", ArgsUsage: "ID...", Usage: "a rule with its lines", Flags: ruleFlags(), Action: p.rulesShow},
			{Name: "test", ArgsUsage: "[DIR]", Flags: ruleFlags(), Action: p.rulesTest,
				Usage: "run the rules over the lines they must and must not fire on"},
		}},
		{Name: "explain", ArgsUsage: "[NAME...]", Flags: outputFlags("text, json"), Action: p.explain,
			Usage: "what an ending, cause or finding means, how it is proven, what to do"},
		{Name: "completion", ArgsUsage: "bash|zsh|fish", Action: p.completion,
			Usage: "print a completion script for your shell"},
		{Name: "_flags", Hidden: true, Action: p.flagTable, Usage: "print the table of flags for README.md"},
	}
}

func ruleFlags() []cli.Flag {
	return append(outputFlags("text, json"), &cli.StringFlag{Name: "rules", Category: "Reading",
		Usage: "`DIR` with rules of your own, added or put in place of others by id"})
}

// dispatch lets urfave/cli read the flags of a call and run its command.
func (p *program) dispatch(ctx context.Context, c call, commands []*cli.Command) error {
	strip(commands)
	app := &cli.App{
		Name: "lastwords", Commands: commands, HideHelp: true, HideHelpCommand: true, HideVersion: true,
		Writer: p.env.Stdout, ErrWriter: p.env.Stderr,
		ExitErrHandler: func(*cli.Context, error) {},
	}
	return app.RunContext(ctx, c.argv())
}

// strip takes out what urfave/cli would add: help and usage errors are ours.
func strip(commands []*cli.Command) {
	for _, k := range commands {
		k.HideHelp, k.HideHelpCommand = true, true
		k.OnUsageError = func(_ *cli.Context, err error, _ bool) error { return wrong("", "%v", err) }
		strip(k.Subcommands)
	}
}
