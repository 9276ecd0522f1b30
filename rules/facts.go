package rules

// Facts lists the words that rules may use in `fact`: the vocabulary of package classify. A file that uses another is rejected.
var Facts = []string{
	// how a try begins
	"deps-met", "deps-not-met", "not-able", "attempt", "resumed", "executing", "process-started", "command", "running-on",
	"env", "group", "endgroup", "bundles-loaded", "dagbag", "import-failed",
	// how it ends
	"state", "rescheduled", "startup-rescheduled", "deferred", "return-code", "task-error", "job-failed", "start-failed",
	"timed-out", "system-exit", "trigger-failed", "top-level-error", "dag-not-found", "interrupted", "exited-abnormally",
	"segfault-banner", "sigterm-task", "sigterm-supervisor", "escalated", "killed-before-finished", "reaped", "signal-sent",
	"signal", "heartbeat-limit", "heartbeat-failed", "owner-mismatch", "externally-set", "dagrun-timed-out",
	"server-terminated", "task-killed", "skipping", "report-failed", "fail-fast",
	// what is no ending
	"finishing", "command-exit", "chatter", "after-failure", "remote-pod", "bookkeeping",
	// what a log reader adds
	"reader-missing", "reader-empty-host", "reader-skipped", "reader-empty-operator",
	// what others record
	"zombie", "zombie-handled", "mismatch", "finished", "queued", "executor-event", "stuck-queued", "orphans-reset",
	"pod-failed", "pod-not-started", "pod-state", "pod-made", "pool-child-died", "worker-lost", "worker-shutdown",
	"celery-command", "celery-command-failed", "local-command", "worker-running", "marking", "run-timed-out", "verdict",
	"server-terminated-w", "supervisor-exit", "escalating", "heartbeats-lost", "workload", "startup-details", "api-refused",
	"trigger-exited", "celery-raised",
}
