package main

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"lastwords/classify"
)

// event is a group of tries that died together: on one host, or on many hosts at the same time. It is more likely one
// thing that happened to many tasks than many things.
type event struct {
	at    time.Time // of the first death
	hosts []string  // without those that are not known
	tries []*classify.Try
}

// togetherWithin is how far apart deaths of one event may be: last signs of life come once in a while only.
const togetherWithin = time.Minute

// manyHosts is from how many hosts on deaths of one minute are taken for one event.
const manyHosts = 3

// events groups deaths by host and minute, the largest group first.
func events(tries []*classify.Try) []event {
	type death struct {
		at time.Time
		t  *classify.Try
	}
	var deaths []death
	for _, t := range tries {
		if at := lastSign(t); died(t) && !at.IsZero() {
			deaths = append(deaths, death{at, t})
		}
	}
	slices.SortStableFunc(deaths, func(a, b death) int { return a.at.Compare(b.at) })

	var found []event
	for from := 0; from < len(deaths); {
		to := from
		for to < len(deaths) && deaths[to].at.Sub(deaths[from].at) < togetherWithin {
			to++
		}
		byHost := map[string][]*classify.Try{}
		var hosts []string
		var all []*classify.Try
		for _, d := range deaths[from:to] {
			host := or(d.t.Node, d.t.Host)
			if byHost[host] == nil && host != "" {
				hosts = append(hosts, host)
			}
			byHost[host] = append(byHost[host], d.t)
			all = append(all, d.t)
		}
		if len(hosts) >= manyHosts && severalTasks(all) {
			found = append(found, event{deaths[from].at, hosts, all})
		} else {
			for _, host := range hosts {
				if group := byHost[host]; severalTasks(group) {
					found = append(found, event{lastSign(group[0]), []string{host}, group})
				}
			}
		}
		from = to
	}
	slices.SortStableFunc(found, func(a, b event) int {
		return cmp.Or(cmp.Compare(len(b.tries), len(a.tries)), a.at.Compare(b.at),
			cmp.Compare(strings.Join(a.hosts, " "), strings.Join(b.hosts, " ")))
	})
	return found
}

// severalTasks says whether tries are of more than one task instance.
func severalTasks(tries []*classify.Try) bool {
	for _, t := range tries {
		if taskTitle(t.Identity, t.Source)+t.RunID != taskTitle(tries[0].Identity, tries[0].Source)+tries[0].RunID {
			return true
		}
	}
	return false
}

// died says whether something ended the try that was not its own code. A traceback counts where a signal or somebody
// outside raised it.
func died(t *classify.Try) bool {
	switch t.Ending {
	case classify.NegativeReturnCode, classify.TruncatedThenZombie, classify.ExternallySet:
		return true
	case classify.Unfinished, classify.NeverStarted:
		return t.Cause != "" && t.Cause != "unknown"
	case classify.Traceback:
		return t.Signal != 0 || !ownCode(t.Cause)
	}
	return false
}

// ownCode says whether a cause is the task's own doing.
func ownCode(cause string) bool {
	switch cause {
	case "", "unknown", "user-exception", "memory-error", "sys-exit", "bash-exit", "execution-timeout",
		"timeout-swallowed", "sensor-timeout", "fail-exception", "fail-fast", "skip", "import-error", "dag-missing",
		"trigger-failed", "trigger-timeout":
		return true
	}
	return strings.HasPrefix(cause, "remote-")
}

// causesOf names the causes of tries, the most frequent first.
func causesOf(tries []*classify.Try) []tally {
	counts := map[string]int{}
	for _, t := range tries {
		counts[or(t.Cause, string(t.Ending))]++
	}
	return tallies(counts)
}

// tally is a name with its number.
type tally struct {
	name string
	n    int
}

// tallies orders counts, the largest first.
func tallies(counts map[string]int) []tally {
	var all []tally
	for name, n := range counts {
		all = append(all, tally{name, n})
	}
	slices.SortFunc(all, func(a, b tally) int {
		return cmp.Or(cmp.Compare(b.n, a.n), strings.Compare(a.name, b.name))
	})
	return all
}
