package rules

import (
	"slices"
	"strings"
	"testing"
)

// The names are those of the design's tables, in its order.
var (
	allEndings = strings.Fields(`success skipped rescheduled deferred traceback negative-return-code
		truncated-then-zombie externally-set never-started unfinished log-missing unrecognized`)
	allCauses = map[string]string{
		"nothing known": "unknown died-unnoticed",
		"the task's own code": `user-exception memory-error sys-exit bash-exit execution-timeout timeout-swallowed
			sensor-timeout fail-exception fail-fast skip import-error dag-missing trigger-failed trigger-timeout`,
		"set from outside": `marked-failed marked-success cleared dagrun-timeout dagrun-deleted task-removed superseded
			executor-mismatch setter-unknown`,
		"Airflow itself": `heartbeat-timeout heartbeats-lost false-zombie orphan-reset scheduler-restart worker-shutdown
			worker-killed airflow-sigkill stuck-queued executor-failed-queued log-upload-missing`,
		"signals": "sigkill-unknown sigterm-unknown signal-unknown segfault abort native-crash",
		"memory":  "memory memory-container memory-child memory-node evicted-memory",
		"cluster": `evicted-disk evicted-storage-limit evicted-pids preempted spot-reclaimed scale-down node-rotation
			node-drained node-shutdown node-lost rollout liveness-killed pod-deadline pod-deleted`,
		"never ran": `image-pull unschedulable mount-failed sandbox-failed container-config init-failed quota
			admission-rejected`,
		"evidence":     "evidence-expired",
		"launched pod": "remote-* remote-native-crash remote-user-error",
	}
	allFindings = strings.Fields(`memory-same-point crash-same-point same-error same-cause scattered mixed-causes
		flaky-then-success success-then-killed double-execution undead missing-try never-ran retries-wasted
		co-death evicted-then-consequence record-disagrees orphan-adopted cleared-while-running scheduler-died
		scheduler-paused triggerer-died deferred-context-lost heartbeat-gaps`)
)

func TestEntriesAreTheDesignsNamesInItsOrder(t *testing.T) {
	want := slices.Clone(allEndings)
	for _, g := range Groups {
		want = append(want, strings.Fields(allCauses[g])...)
	}
	want = append(want, allFindings...)
	var got []string
	for _, e := range Entries() {
		got = append(got, e.Name)
		wantKind := KindCause
		if slices.Contains(allEndings, e.Name) {
			wantKind = KindEnding
		} else if slices.Contains(allFindings, e.Name) {
			wantKind = KindFinding
		} else if !slices.Contains(strings.Fields(allCauses[e.Group]), e.Name) {
			t.Errorf("%s: group %q", e.Name, e.Group)
		}
		if e.Kind != wantKind || Kind(e.Name) != wantKind {
			t.Errorf("%s: kind %q", e.Name, e.Kind)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%v\nwant\n%v", got, want)
	}
}

func TestEntriesAreFit(t *testing.T) {
	for _, e := range Entries() {
		if n := len(e.Do); n < 1 || n > 4 {
			t.Errorf("%s: %d things to do", e.Name, n)
		}
		order := []string{"inspect", "low-risk", "mutating"}
		for i := 1; i < len(e.Do); i++ {
			if slices.Index(order, e.Do[i].Safety) < slices.Index(order, e.Do[i-1].Safety) {
				t.Errorf("%s: %q comes after a step that does more harm", e.Name, e.Do[i].Say)
			}
		}
		texts := []string{e.Means, e.Proven}
		for _, d := range e.Do {
			texts = append(texts, d.Say)
		}
		for _, s := range texts {
			if !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "?") || strings.Contains(s, "  ") || strings.ContainsAny(s, "\n\t") {
				t.Errorf("%s: not one clean line: %q", e.Name, s)
			}
			if strings.Count(s, "`")%2 != 0 {
				t.Errorf("%s: an open quote: %q", e.Name, s)
			}
		}
		if strings.HasSuffix(e.Name, "-unknown") && !strings.Contains(e.Proven, "certainty is unknown") {
			t.Errorf("%s: does not say that its certainty is unknown", e.Name)
		}
		if len(e.Rivals) == 0 && e.Kind != KindEnding {
			t.Errorf("%s: names no rival", e.Name)
		}
	}
}

func TestRemoteCauses(t *testing.T) {
	for name, want := range map[string]bool{
		"remote-memory-container": true, "remote-image-pull": true, "remote-node-lost": true, "remote-quota": true,
		"remote-native-crash": true, "remote-user-error": true, "remote-*": true,
		"remote-": false, "remote-user-exception": false, "remote-segfault": false, "remote-success": false,
		"remote-remote-quota": false, "remote-memory-same-point": false, "no-such-name": false, "": false,
	} {
		e, ok := Explain(name)
		if ok != want || Known(name) != want || (Kind(name) == KindCause) != want {
			t.Errorf("%s: got %v", name, ok)
		}
		if ok && (e.Name != name || e.Group != "launched pod" || len(e.Do) == 0) {
			t.Errorf("%s: got %+v", name, e)
		}
	}
	before, _ := Explain("remote-*")
	e, _ := Explain("remote-memory-container")
	base, _ := Explain("memory-container")
	for _, d := range e.Do {
		if strings.Contains(d.Run, "{pod}") || strings.Contains(d.Run, "{node}") {
			t.Errorf("a command about the try's own pod: %s", d.Run)
		}
	}
	if !slices.Contains(e.Rivals, "remote-memory-node") {
		t.Errorf("rivals: %q", e.Rivals)
	}
	if !strings.Contains(e.Means, base.Means) || len(e.Do) != len(before.Do)+len(base.Do) {
		t.Errorf("got %+v", e)
	}
	if after, _ := Explain("remote-*"); len(after.Do) != len(before.Do) {
		t.Error("explaining one changed the other")
	}
}
