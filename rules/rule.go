// Package rules holds what lastwords knows about log lines and endings as data: one YAML file a topic, embedded, with
// lines that each rule must and must not fire on. It reads no log; package classify applies the rules.
//
//	set, err := rules.Load(os.DirFS("my-rules")) // built-in rules, overridden by id
package rules

// Rule says: a record like this is evidence of that.
type Rule struct {
	ID    string `yaml:"id"`    // unique, lower case with hyphens; a user's rule of the same id overrides
	Title string `yaml:"title"` // one sentence: what it means that this record is there

	// Where it may fire.
	In       []string `yaml:"in"`       // kinds of log: task, scheduler, worker, triggerer, dag-processor, api-server; component = all but task
	Versions string   `yaml:"versions"` // Airflow versions, for people
	Origin   []string `yaml:"origin"`   // emitting file (taskinstance.py) or logger (task, supervisor); empty: whatever Airflow wrote. The word "user" admits the task's own words (users' rules only)

	// What it looks like.
	At      string   `yaml:"at"`      // start (default): the first literal opens the message; anywhere
	Literal []string `yaml:"literal"` // compulsory, each must stand in the message (or its continuation lines where `more` is set)
	Either  []string `yaml:"either"`  // instead of the first literal: one of these must stand in its place
	Not     []string `yaml:"not"`     // none of these may stand in the message
	More    bool     `yaml:"more"`    // literals and regexp may stand in continuation lines and fields too
	Text    string   `yaml:"text"`    // optional: the message with {name} for what is to be captured; cheap, for records that every log has
	Regexp  string   `yaml:"regexp"`  // optional, with named captures; tried only after the literals were found

	// What it says.
	Fact   string            `yaml:"fact"`   // word of classify's vocabulary; empty for users' rules that set a cause
	Cause  string            `yaml:"cause"`  // slug
	Fields map[string]string `yaml:"fields"` // constants that stand beside the captures

	Fires  []string `yaml:"fires"`  // whole lines, as logs have them, on which it must fire
	Silent []string `yaml:"silent"` // whole lines on which it must not
	From   string   `yaml:"from"`   // Airflow file and versions

	File       string `yaml:"-"` // where it was read from
	Line       int    `yaml:"-"`
	SampleLine []int  `yaml:"-"` // the line in File of each of Fires, then of each of Silent

	lazy *lazyRegexp // belongs to the Set that holds the rule; nil in a rule that stands alone
}

// Entry explains an ending, a cause or a finding.
type Entry struct {
	Name   string   `yaml:"name"`
	Kind   string   `yaml:"kind"`  // ending, cause, finding
	Group  string   `yaml:"group"` // the group of causes it belongs to
	Means  string   `yaml:"means"` // what it means, for a person at 3 a.m.
	Proven string   `yaml:"proven"`
	Rivals []string `yaml:"rivals"` // what else it could be: slugs, or a sentence
	Do     []Remedy `yaml:"do"`
}

// Remedy is one thing that a person can do. Run may hold {dag} {task} {run} {try} {map} {host} {pod} {node} {log}.
type Remedy struct {
	Say    string `yaml:"say"`
	Run    string `yaml:"run"`
	Safety string `yaml:"safety"` // inspect, low-risk, mutating
}
