// Code generated from the YAML files of this folder by `go generate ./rules`; DO NOT EDIT.

//go:build !bootstrap

package rules

// builtinRules holds the built-in rules, in the order of their files. Nobody writes to it.
var builtinRules = [...]Rule{}

// builtinEntries explains endings, causes and findings. Nobody writes to it.
var builtinEntries = [...]Entry{
	{
		Name:   "success",
		Kind:   "ending",
		Means:  "The task finished its work and its own task runner said so. That line is sticky: a SIGTERM, a changed state or a zombie record before or after it does not undo the work, though Airflow's database may say failed.",
		Proven: "Airflow 1.10–2.11: `Marking task as SUCCESS` from taskinstance.py, or `Task exited with return code 0` up to 1.10.3. Airflow 3 writes no success line into the task log: there it is likely when the log ends on a finishing record (`Done. Returned value was`, `Pushing xcom`) without a failure, and proven by `final_state=success` in the worker's log or `state=success` in the scheduler's `TaskInstance Finished`.",
		Rivals: []string{
			"Return code 0 without a state line is no success. `sys.exit(0)` ends so, and Airflow fails that try later.",
			"In Airflow 3 a finished task can still be failed, when the API server was out of reach and its result never arrived.",
		},
		Do: []Remedy{
			{
				Say:    "Where the row is only likely, add the worker's or scheduler's log; one line there settles it.",
				Run:    "lastwords scan {log} scheduler.log worker.log",
				Safety: "inspect",
			},
			{
				Say:    "If the database says failed all the same, compare before you clear; a rerun repeats work that was done.",
				Run:    "airflow tasks states-for-dag-run {dag} {run}",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "skipped",
		Kind:   "ending",
		Means:  "The task decided to skip itself, for example with AirflowSkipException, a soft-failing sensor, or a Bash exit code that means skip (99).",
		Proven: "`Marking task as SKIPPED` (up to 2.11). Airflow 3: `Skipping task.` with a reason; a skip without a reason leaves nothing in the task log and is proven only by `final_state=skipped` or `state=skipped` elsewhere.",
		Rivals: []string{
			"A task that a branch or a trigger rule skipped never ran and has no log at all.",
			"`Skipping downstream tasks.` is the success of a branch or short circuit, not a skip of its own.",
		},
		Do: []Remedy{
			{
				Say:    "Read the reason in the record before the verdict; a skip is nothing to repair unless you wanted the work.",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "rescheduled",
		Kind:   "ending",
		Means:  "A sensor in reschedule mode looked, found nothing yet and gave its slot back. The same try goes on in a later segment of the same log.",
		Proven: "`Rescheduling task, marking task as UP_FOR_RESCHEDULE` is the last verdict of the log's last segment.",
		Rivals: []string{
			"If the next poke is long overdue, the scheduler is down or the pool is full; the task log cannot show that.",
		},
		Do: []Remedy{
			{
				Say:    "See whether the task instance waits for its next poke.",
				Run:    "airflow tasks states-for-dag-run {dag} {run}",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "deferred",
		Kind:   "ending",
		Means:  "The task handed its wait over to the triggerer and left its worker. The same try goes on in the triggerer and, after the trigger fired, in another segment of the same log.",
		Proven: "`Pausing task as DEFERRED` is the last verdict of the log's last segment (2.2 and later); 2.6–2.11 add `Task exited with return code 100 (task deferral)`.",
		Rivals: []string{
			"The triggerer may be down, and the try then stays deferred until its timeout, if it has one.",
		},
		Do: []Remedy{
			{
				Say:    "See whether a triggerer is alive.",
				Run:    "airflow jobs check --job-type TriggererJob --allow-multiple --limit 10",
				Safety: "inspect",
			},
			{
				Say:    "Read the trigger's own log, beside the try's.",
				Run:    "ls {log}.trigger*",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "traceback",
		Kind:   "ending",
		Means:  "The task's code ended the try by an exception or a positive exit code. The process lived long enough for Airflow to record it.",
		Proven: "The traceback that Airflow printed with `Task failed with exception`, or a positive `Task exited with return code`. Tracebacks that the task's own code printed, of mistakes it caught, prove nothing.",
		Rivals: []string{
			"A SIGTERM raised inside Python is a traceback too; its cause is whoever sent the signal, not the code it struck.",
			"A failing callback or mail prints its own traceback after the one that counts.",
		},
		Do: []Remedy{
			{
				Say:    "Read the exception, the innermost frame of your own code and the last words.",
				Safety: "inspect",
			},
			{
				Say:    "Run the same task once by hand, without recording a state. It does the real work.",
				Run:    "airflow tasks test {dag} {task} {run}",
				Safety: "mutating",
			},
		},
	},
	{
		Name:   "negative-return-code",
		Kind:   "ending",
		Means:  "A signal killed the task's process, and the process above it, Airflow's supervisor, lived to say so. No Python code had a chance to run: no traceback, no callback of the task itself.",
		Proven: "`Task exited with return code -9` or `Negsignal.SIGKILL` (up to 2.11); `Process terminated by signal` with its number (Airflow 3); a negative `exit_code` in the worker's verdict line.",
		Rivals: []string{
			"−9 proves SIGKILL and nothing more. Airflow prints \"likely out of memory\" for every −9; that is a guess.",
			"If Airflow itself escalated from SIGTERM to SIGKILL, the cause is what made it stop the task.",
		},
		Do: []Remedy{
			{
				Say:    "Ask the kernel of the host whether it killed the process. Its line names the pid.",
				Run:    "journalctl -k --no-pager | grep -iE 'out of memory|oom-kill|killed process'",
				Safety: "inspect",
			},
			{
				Say:    "Ask Kubernetes how the container ended, before the pod is cleaned up.",
				Run:    "kubectl get pod {pod} -o jsonpath='{.status.reason}{\"\\n\"}{.status.containerStatuses[*].state}{\"\\n\"}{.status.containerStatuses[*].lastState}{\"\\n\"}'",
				Safety: "inspect",
			},
			{
				Say:    "See whether earlier tries died at the same point.",
				Run:    "lastwords timeline LOGS",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "truncated-then-zombie",
		Kind:   "ending",
		Means:  "The log stops in the middle of the work, or is empty, and Airflow noticed from outside that the try was dead. The supervisor died together with the task, or was cut off, so nobody inside could write down why.",
		Proven: "A record of Airflow that names the try: `Detected zombie job` (up to 2.11), `Detected a task instance without a heartbeat` (3.x), an executor that reports an end while the state says running (3.x), a failed worker pod, or celery's `exited with 'signal 9'` where the log really stops. It proves the death, never the reason.",
		Rivals: []string{
			"The task may still be alive. A purge also hits tries whose heartbeats were late; see false-zombie and undead.",
			"An orderly shutdown of the worker leaves SIGTERM lines; a log that just stops speaks for SIGKILL, a lost node or a lost host.",
		},
		Do: []Remedy{
			{
				Say:    "Look at what happened to the pod or host in the minute in which the log stops.",
				Run:    "kubectl get events --field-selector involvedObject.name={pod} --sort-by=.lastTimestamp",
				Safety: "inspect",
			},
			{
				Say:    "Ask the kernel of the host for a kill.",
				Run:    "journalctl -k --no-pager | grep -iE 'out of memory|oom-kill|killed process'",
				Safety: "inspect",
			},
			{
				Say:    "Make sure that the old process is gone before you start the work again.",
				Run:    "ps -eo pid,lstart,args | grep -E '[a]irflow (task|worker)'",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "externally-set",
		Kind:   "ending",
		Means:  "While the task ran, its state was changed from outside. The supervisor noticed at a heartbeat and stopped the task.",
		Proven: "`State of this instance has been externally set to …` (up to 2.11), `Recorded pid … does not match the current pid`, or `Server indicated the task shouldn't be running anymore` (3.x), with no success of the task's own before it. What follows (SIGTERM, traceback, −9, UP_FOR_RETRY) is its effect.",
		Rivals: []string{
			"A changed state does not say who changed it. A person, a run timeout, a purge of a live task and an executor all look alike in the task log.",
			"Set to success just after the task's own success is a slow exit and stays a success.",
		},
		Do: []Remedy{
			{
				Say:    "Ask the audit log who changed the state just before (event and owner).",
				Run:    "curl -snG \"$AIRFLOW_API/eventLogs\" --data-urlencode dag_id={dag} --data-urlencode task_id={task}",
				Safety: "inspect",
			},
			{
				Say:    "Add the scheduler's log; a run timeout, a purge or an executor mismatch stands there.",
				Run:    "lastwords scan {log} scheduler.log",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "never-started",
		Kind:   "ending",
		Means:  "The try was queued, but the task's code never ran. Something between the scheduler and the first line of the task gave up.",
		Proven: "There is no start record, and the executor, the scheduler or the pod says why: finished while its state was queued, `stuck in queued`, `Task requeue attempts exceeded max`, a pod that could not start, or a refused start.",
		Rivals: []string{
			"An empty log, even with an empty host name, is only log-missing until somebody recorded why.",
			"A log may have existed on a worker that is gone.",
		},
		Do: []Remedy{
			{
				Say:    "Read the executor's words around that time.",
				Run:    "grep -F {task} scheduler.log | tail -n 50",
				Safety: "inspect",
			},
			{
				Say:    "Look at the pod that should have run it.",
				Run:    "kubectl describe pod {pod}",
				Safety: "inspect",
			},
			{
				Say:    "See whether workers, pool slots and queue have room.",
				Run:    "airflow pools list",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "unfinished",
		Kind:   "ending",
		Means:  "The log stops without a verdict and no record at hand says that the try died. It still runs, or it died and nobody has noticed yet. Age alone never turns it into a death.",
		Proven: "It is the absence of a record, so it is never more than what is at hand. The text says how long the log has been silent.",
		Rivals: []string{
			"Still at work, with output held back in a buffer or a long call into C.",
			"Dead, and the record stands in a scheduler's or worker's log that was not given.",
			"Airflow 3 task logs have no success line; a finished try looks like this when its last record is no finishing one.",
		},
		Do: []Remedy{
			{
				Say:    "Ask Airflow for the state.",
				Run:    "airflow tasks states-for-dag-run {dag} {run}",
				Safety: "inspect",
			},
			{
				Say:    "Add the scheduler's and the worker's log of the time after the last line.",
				Run:    "lastwords scan {log} scheduler.log worker.log",
				Safety: "inspect",
			},
			{
				Say:    "Look for the process on its host.",
				Run:    "ps -eo pid,lstart,args | grep -E '[a]irflow (task|worker)'",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "log-missing",
		Kind:   "ending",
		Means:  "Only the reader's header lines are there, or nothing, and nobody recorded a death. The log was never written, never uploaded, or is gone.",
		Proven: "The reader's own words, such as `No logs found on s3`, `Log file does not exist` or `Could not read served logs`, and no other trace of the try.",
		Rivals: []string{
			"never-started",
			"The task still runs; with remote logging its log is uploaded only at its end.",
			"The worker that held the log was scaled down before the upload.",
		},
		Do: []Remedy{
			{
				Say:    "Ask Airflow for the state of the task instance and its host name; no host means that it never started.",
				Run:    "airflow tasks states-for-dag-run {dag} {run}",
				Safety: "inspect",
			},
			{
				Say:    "Add the scheduler's log, which names the try even where its own log is gone.",
				Run:    "lastwords scan LOGS scheduler.log",
				Safety: "inspect",
			},
			{
				Say:    "See where logs should go.",
				Run:    "airflow config get-value logging remote_base_log_folder",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "unrecognized",
		Kind:   "ending",
		Means:  "The input does not look like an Airflow task log in any format that is known here.",
		Proven: "No record of Airflow was found in its place; it says nothing about the task.",
		Rivals: []string{
			"A scheduler's, worker's or web server's log, which is evidence about tries but not the log of one.",
			"A custom `log_format` or a collector that dropped the stamps.",
		},
		Do: []Remedy{
			{
				Say:    "Look at the first lines as they are.",
				Run:    "head -n 5 {log}",
				Safety: "inspect",
			},
			{
				Say:    "Scan the folder instead; then every file is recognised by its content.",
				Run:    "lastwords scan LOGS",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "unknown",
		Kind:   "cause",
		Group:  "nothing known",
		Means:  "The ending is clear, the reason is not. Nothing that was read says what brought it about.",
		Proven: "It is the absence of evidence. The row names the candidates and the witnesses that were not asked.",
		Rivals: []string{"Whatever the row lists among its candidates."},
		Do: []Remedy{
			{
				Say:    "Add the logs of the scheduler and the worker for that time.",
				Run:    "lastwords scan {log} scheduler.log worker.log",
				Safety: "inspect",
			},
			{
				Say:    "Ask for the pod's or host's side before it is cleaned up; events are kept for about an hour.",
				Run:    "kubectl get events --field-selector involvedObject.name={pod} --sort-by=.lastTimestamp",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "died-unnoticed",
		Kind:   "cause",
		Group:  "nothing known",
		Means:  "The log falls silent, nobody recorded a death, and yet a later try exists. Airflow must have noticed somehow, but that record is not at hand.",
		Proven: "A silent log before a later try. That the later try exists is no record of the death, so the cause is never more than this.",
		Rivals: []string{"heartbeat-timeout", "cleared", "sigkill-unknown"},
		Do: []Remedy{
			{
				Say:    "Add the scheduler's log of the minutes between the two tries.",
				Run:    "lastwords scan {log} scheduler.log",
				Safety: "inspect",
			},
			{
				Say:    "Ask the audit log for a heartbeat timeout or a clear (2.10 and later name the try).",
				Run:    "curl -snG \"$AIRFLOW_API/eventLogs\" --data-urlencode dag_id={dag} --data-urlencode task_id={task}",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "user-exception",
		Kind:   "cause",
		Group:  "the task's own code",
		Means:  "The task's code, or a library that it called, raised an exception that nobody caught.",
		Proven: "Airflow's own `Task failed with exception` with the traceback, or the traceback after the exception's text up to 2.0.1.",
		Rivals: []string{
			"The exception is a symptom when it says that something else was gone, such as a refused connection or a missing file.",
			"trigger-failed",
		},
		Do: []Remedy{
			{
				Say:    "Read the root of the chain, not only its last link, and the innermost frame of your own code.",
				Safety: "inspect",
			},
			{
				Say:    "See whether the other tries raised the same.",
				Run:    "lastwords timeline LOGS",
				Safety: "inspect",
			},
			{
				Say:    "Repair code, data or access, then clear the task instance.",
				Safety: "mutating",
			},
		},
	},
	{
		Name:   "memory-error",
		Kind:   "cause",
		Group:  "the task's own code",
		Means:  "Python asked for memory, was refused and raised MemoryError. The process lived on, so no kernel and no kubelet killed it.",
		Proven: "MemoryError is the exception that ended the try, or the root of its chain.",
		Rivals: []string{
			"A limit of the process itself (ulimit -v) rather than a full machine.",
			"One absurd request, such as an array of the wrong shape; NumPy names the size in the message.",
		},
		Do: []Remedy{
			{
				Say:    "Read the size in the message, if it names one, and the frame that asked for it.",
				Safety: "inspect",
			},
			{
				Say:    "See the limits that the worker gives its processes.",
				Run:    "ulimit -a",
				Safety: "inspect",
			},
			{
				Say:    "Read the data in parts, or give the task more memory.",
				Safety: "low-risk",
			},
		},
	},
	{
		Name:   "sys-exit",
		Kind:   "cause",
		Group:  "the task's own code",
		Means:  "The task's code, or a library, ended the process itself with sys.exit or os._exit. Airflow counts that as a failure, in Airflow 3 even with code 0.",
		Proven: "`Task failed due to SystemExit(n)` (2.8–2.11), `Task exited` with exit_code (3.x), or a positive `Task exited with return code` without a traceback.",
		Rivals: []string{
			"Return code 1 or 2 without a traceback can also be a DAG file that failed to load.",
			"sigterm-unknown",
		},
		Do: []Remedy{
			{
				Say:    "Look for sys.exit, exit() and os._exit in the task's code and in command line tools that it calls as a function.",
				Safety: "inspect",
			},
			{
				Say:    "Return from the function instead, or raise AirflowFailException.",
				Safety: "low-risk",
			},
		},
	},
	{
		Name:   "bash-exit",
		Kind:   "cause",
		Group:  "the task's own code",
		Means:  "The shell command of the task returned a code that is not 0. The task's own process was well; its child failed or was killed.",
		Proven: "`Command exited with return code` before `Bash command failed`. −9 says that bash itself was killed, 137 that something that bash had started was; neither proves a lack of memory.",
		Rivals: []string{
			"memory-child",
			"The code is that of the last command only; without `set -e` an earlier one may have failed.",
		},
		Do: []Remedy{
			{
				Say:    "Read the command's own output above the code.",
				Safety: "inspect",
			},
			{
				Say:    "For −9 or 137, ask the kernel of the host.",
				Run:    "journalctl -k --no-pager | grep -iE 'out of memory|oom-kill|killed process'",
				Safety: "inspect",
			},
			{
				Say:    "Put `set -euo pipefail` at the top of the command, so that it stops where it fails.",
				Safety: "low-risk",
			},
		},
	},
	{
		Name:   "execution-timeout",
		Kind:   "cause",
		Group:  "the task's own code",
		Means:  "The task ran longer than its execution_timeout, and Airflow raised AirflowTaskTimeout inside it.",
		Proven: "`Process timed out` of the task, with AirflowTaskTimeout as the exception.",
		Rivals: []string{
			"The same words without AirflowTaskTimeout come from loading a DAG file and concern the DAG processor.",
			"pod-deadline",
			"dagrun-timeout",
		},
		Do: []Remedy{
			{
				Say:    "See where it hung; the frames of the traceback show what it was doing.",
				Safety: "inspect",
			},
			{
				Say:    "Compare with the length of good runs.",
				Run:    "airflow tasks states-for-dag-run {dag} {run}",
				Safety: "inspect",
			},
			{
				Say:    "Give the slow call its own, shorter timeout, or raise the task's execution_timeout.",
				Safety: "low-risk",
			},
		},
	},
	{
		Name:   "timeout-swallowed",
		Kind:   "cause",
		Group:  "the task's own code",
		Means:  "The execution timeout struck, but the task's code caught the exception and went on. What ended the try came later.",
		Proven: "`Process timed out` stands in the log, work of the task follows it, and the try ended in another way.",
		Rivals: []string{"Clean-up of the task in a `finally` block, which is no swallowing.", "user-exception"},
		Do: []Remedy{
			{
				Say:    "Look for `except Exception` or a bare `except` around the call that hung. Up to 2.7 AirflowTaskTimeout is an ordinary exception, which `except Exception` catches.",
				Safety: "inspect",
			},
			{
				Say:    "Catch only what you expect there.",
				Safety: "low-risk",
			},
		},
	},
	{
		Name:   "sensor-timeout",
		Kind:   "cause",
		Group:  "the task's own code",
		Means:  "The sensor waited for its whole timeout, and what it waited for did not come. Airflow does not retry this.",
		Proven: "AirflowSensorTimeout is the exception that ended the try (`Sensor has timed out`; 1.10 `Snap. Time is OUT.`).",
		Rivals: []string{"With soft_fail the same text ends in a skip.", "execution-timeout"},
		Do: []Remedy{
			{
				Say:    "Look at what the sensor waits for; is it late, or named differently today?",
				Safety: "inspect",
			},
			{
				Say:    "Once it is there, clear the task instance. A clear starts the timeout anew.",
				Safety: "mutating",
			},
		},
	},
	{
		Name:   "fail-exception",
		Kind:   "cause",
		Group:  "the task's own code",
		Means:  "The task raised AirflowFailException, which means fail now and do not retry. Somebody wrote that on purpose.",
		Proven: "AirflowFailException ended the try; up to 2.11 `Immediate failure requested. Marking task as FAILED.` says the same.",
		Rivals: []string{"sensor-timeout"},
		Do: []Remedy{
			{
				Say:    "Read the message; it names the case that no retry can mend.",
				Safety: "inspect",
			},
			{
				Say:    "After the repair, clear the task instance; Airflow will not try again by itself.",
				Safety: "mutating",
			},
		},
	},
	{
		Name:   "fail-fast",
		Kind:   "cause",
		Group:  "the task's own code",
		Means:  "The DAG stops at its first failure (`fail_stop` in 2.7–2.11, `fail_fast` in 3.x). One task failed, and the others of the run were failed or skipped for it.",
		Proven: "`Forcing task … to fail due to dag's` setting, in another task's log or the scheduler's, or `Recording the task instance as FAILED` in the log of the task that failed.",
		Rivals: []string{"marked-failed"},
		Do: []Remedy{
			{
				Say:    "Find the task of the same run that failed first; it is the one to repair.",
				Run:    "airflow tasks states-for-dag-run {dag} {run}",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "skip",
		Kind:   "cause",
		Group:  "the task's own code",
		Means:  "The task asked to be skipped.",
		Proven: "AirflowSkipException, a Bash skip code, or the SKIPPED line.",
		Rivals: []string{"A sensor with soft_fail that timed out."},
		Do: []Remedy{
			{
				Say:    "Read the reason, if the code gave one.",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "import-error",
		Kind:   "cause",
		Group:  "the task's own code",
		Means:  "The DAG file, or a module it needs, could not be imported when the try started. The task's own code was not reached.",
		Proven: "An ImportError, ModuleNotFoundError or SyntaxError before the task began, in Airflow's own record.",
		Rivals: []string{
			"An import inside the task's function is a user-exception.",
			"The worker's image or environment differs from the scheduler's, which parsed the file well.",
		},
		Do: []Remedy{
			{
				Say:    "See whether Airflow reports the same error for the file.",
				Run:    "airflow dags list-import-errors",
				Safety: "inspect",
			},
			{
				Say:    "Import the file where the task runs.",
				Run:    "kubectl exec {pod} -- python -c 'import MODULE'",
				Safety: "inspect",
			},
			{
				Say:    "Bring the worker's image and the DAG files to the same version.",
				Safety: "mutating",
			},
		},
	},
	{
		Name:   "dag-missing",
		Kind:   "cause",
		Group:  "the task's own code",
		Means:  "The worker could not find the DAG, or the task in it. The file was not there, did not parse in time, or has changed.",
		Proven: "`Dag not found during start up`, `Task not found in Dag during start up` (3.x), `could not be found; either it does not exist or it failed to parse` (2.x).",
		Rivals: []string{
			"import-error",
			"A file sync (git-sync, a bundle) that has not reached this worker yet; the next try then works.",
		},
		Do: []Remedy{
			{
				Say:    "Ask for import errors.",
				Run:    "airflow dags list-import-errors",
				Safety: "inspect",
			},
			{
				Say:    "Look whether the file is on the worker.",
				Run:    "kubectl exec {pod} -- ls -l /opt/airflow/dags",
				Safety: "inspect",
			},
			{
				Say:    "If parsing is slow there, see the limit.",
				Run:    "airflow config get-value core dagbag_import_timeout",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "trigger-failed",
		Kind:   "cause",
		Group:  "the task's own code",
		Means:  "The task was deferred, and its trigger failed in the triggerer. When the task came back, it failed with the trigger's error.",
		Proven: "`Trigger failed:` with the trigger's traceback, then TaskDeferralError.",
		Rivals: []string{
			"trigger-timeout",
			"A trigger that ended without an event, which Airflow fails as well.",
		},
		Do: []Remedy{
			{
				Say:    "Read the trigger's traceback; it is the root.",
				Safety: "inspect",
			},
			{
				Say:    "Read the triggerer's log around that time.",
				Run:    "grep -F {task} triggerer.log | tail -n 50",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "trigger-timeout",
		Kind:   "cause",
		Group:  "the task's own code",
		Means:  "The task was deferred, and its trigger did not fire before the deferral's timeout.",
		Proven: "`Trigger timeout` (3.x also TaskDeferralTimeout) ended the try; the scheduler's `Timed out N deferred tasks without fired triggers` goes with it.",
		Rivals: []string{
			"The triggerer was down or overloaded all that time.",
			"The thing that was waited for came late or never.",
		},
		Do: []Remedy{
			{
				Say:    "See whether a triggerer lives.",
				Run:    "airflow jobs check --job-type TriggererJob --allow-multiple --limit 10",
				Safety: "inspect",
			},
			{
				Say:    "Look for a blocked event loop in its log.",
				Run:    "grep -F 'async thread was blocked' triggerer.log | tail",
				Safety: "inspect",
			},
			{
				Say:    "Raise the timeout of the deferral if the wait is really that long.",
				Safety: "low-risk",
			},
		},
	},
	{
		Name:   "marked-failed",
		Kind:   "cause",
		Group:  "set from outside",
		Means:  "Somebody, or a program through the API, marked the task instance as failed while it ran.",
		Proven: "An audit record of a person's or API's action just before the task was stopped. Without that record it is a candidate at most.",
		Rivals: []string{"setter-unknown", "dagrun-timeout", "false-zombie", "fail-fast"},
		Do: []Remedy{
			{
				Say:    "Ask the audit log who did it.",
				Run:    "curl -snG \"$AIRFLOW_API/eventLogs\" --data-urlencode dag_id={dag} --data-urlencode task_id={task}",
				Safety: "inspect",
			},
			{
				Say:    "Ask that person before you clear it.",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "marked-success",
		Kind:   "cause",
		Group:  "set from outside",
		Means:  "Somebody, or a program through the API, marked the task instance as success while it ran. The work was cut off; downstream tasks run as if it were complete.",
		Proven: "An audit record of that action, or a state set to success with no success of the task's own before it.",
		Rivals: []string{
			"Set to success after the task's own success is only a slow exit; that is success-then-killed.",
		},
		Do: []Remedy{
			{
				Say:    "Ask the audit log who did it.",
				Run:    "curl -snG \"$AIRFLOW_API/eventLogs\" --data-urlencode dag_id={dag} --data-urlencode task_id={task}",
				Safety: "inspect",
			},
			{
				Say:    "Check what the task had finished; its data may be half there.",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "cleared",
		Kind:   "cause",
		Group:  "set from outside",
		Means:  "The task instance was cleared while it ran. This try was stopped, and a new one starts.",
		Proven: "An audit record of a clear; `externally set to restarting` (2.2 and later; `shutdown` before); or, in 3.x, an answer that the try was moved to the history.",
		Rivals: []string{
			"On 2.10 and 2.11 a clear can show as a zombie record and up_for_retry one or two seconds later.",
			"false-zombie",
		},
		Do: []Remedy{
			{
				Say:    "Ask the audit log who cleared it.",
				Run:    "curl -snG \"$AIRFLOW_API/eventLogs\" --data-urlencode dag_id={dag} --data-urlencode task_id={task}",
				Safety: "inspect",
			},
			{
				Say:    "Check for half-written work before the new try goes on.",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "dagrun-timeout",
		Kind:   "cause",
		Group:  "set from outside",
		Means:  "The whole DAG run ran longer than its dagrun_timeout. Airflow ended the run and skipped what had not finished.",
		Proven: "`DagRun timed out after` beside a state set to skipped (2.3 and later), or `Run … has timed-out` in the scheduler's log.",
		Rivals: []string{"execution-timeout"},
		Do: []Remedy{
			{
				Say:    "See which tasks took the time; it need not be this one.",
				Run:    "airflow tasks states-for-dag-run {dag} {run}",
				Safety: "inspect",
			},
			{
				Say:    "Time spent queued counts as well; look for full pools.",
				Run:    "airflow pools list",
				Safety: "inspect",
			},
			{
				Say:    "Raise dagrun_timeout, or split the DAG.",
				Safety: "low-risk",
			},
		},
	},
	{
		Name:   "dagrun-deleted",
		Kind:   "cause",
		Group:  "set from outside",
		Means:  "The DAG run was deleted while the task ran. Its rows are gone, and the supervisor stopped the task.",
		Proven: "An audit record of the deletion; `externally set to None` with errors of a missing row after it (2.x); a bare `Task Instance not found` (3.x).",
		Rivals: []string{"cleared", "Removed rows after a clean-up of the database (airflow db clean)"},
		Do: []Remedy{
			{
				Say:    "Ask the audit log who deleted it.",
				Run:    "curl -snG \"$AIRFLOW_API/eventLogs\" --data-urlencode dag_id={dag}",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "task-removed",
		Kind:   "cause",
		Group:  "set from outside",
		Means:  "The task is no longer in its DAG. A new version of the file was loaded while it ran.",
		Proven: "`externally set to removed`.",
		Rivals: []string{"A file that makes its tasks dynamically and made fewer this time."},
		Do: []Remedy{
			{
				Say:    "Look at the last change of the DAG file.",
				Run:    "git log -n 5 -- DAG_FILE",
				Safety: "inspect",
			},
			{
				Say:    "See the tasks that the DAG has now.",
				Run:    "airflow tasks list {dag}",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "superseded",
		Kind:   "cause",
		Group:  "set from outside",
		Means:  "Another process owns the try now. This process noticed and gave way, or was refused.",
		Proven: "`Recorded pid … does not match the current pid`, a host name that does not match, or `TI is already running elsewhere` (3.x).",
		Rivals: []string{
			"On 2.10 and later a pid mismatch can repeat for minutes without ending anything.",
			"A worker whose host name changes between calls (see hostname_callable).",
			"cleared",
		},
		Do: []Remedy{
			{
				Say:    "Look for the other process; two of one try mean double work.",
				Run:    "ps -eo pid,lstart,args | grep -E '[a]irflow (task|worker)'",
				Safety: "inspect",
			},
			{
				Say:    "With Celery on Redis or SQS, compare visibility_timeout with the longest task; a shorter one delivers the message again.",
				Run:    "airflow config get-value celery_broker_transport_options visibility_timeout",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "executor-mismatch",
		Kind:   "cause",
		Group:  "set from outside",
		Means:  "The executor reported that the try had ended while Airflow's state said otherwise, and the scheduler set the state accordingly.",
		Proven: "`Executor reports task instance … finished … although the task says it's …` or, from 2.9.3, `reported that the task instance … finished with state …`, for this try.",
		Rivals: []string{
			"In Airflow 3 the same words for a running task also follow every heartbeat purge and every −9; then they are only bookkeeping.",
			"superseded",
		},
		Do: []Remedy{
			{
				Say:    "Read the executor's words just before it.",
				Run:    "grep -F {task} scheduler.log | tail -n 50",
				Safety: "inspect",
			},
			{
				Say:    "Look at the worker pod or process that the executor speaks of.",
				Run:    "kubectl describe pod {pod}",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "setter-unknown",
		Kind:   "cause",
		Group:  "set from outside",
		Means:  "The state was changed from outside while the task ran, and nothing at hand says by whom.",
		Proven: "The task log proves the change only. The certainty is unknown; the row names the candidates.",
		Rivals: []string{"marked-failed", "marked-success", "cleared", "dagrun-timeout", "false-zombie", "executor-mismatch"},
		Do: []Remedy{
			{
				Say:    "Ask the audit log.",
				Run:    "curl -snG \"$AIRFLOW_API/eventLogs\" --data-urlencode dag_id={dag} --data-urlencode task_id={task}",
				Safety: "inspect",
			},
			{
				Say:    "Add the scheduler's log of that minute.",
				Run:    "lastwords scan {log} scheduler.log",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "heartbeat-timeout",
		Kind:   "cause",
		Group:  "Airflow itself",
		Means:  "Nobody had heard from the try for longer than the limit (300 s unless changed), and the scheduler declared it dead. It says that the try fell silent, not what silenced it.",
		Proven: "`Detected zombie job` (up to 2.11), `Detected a task instance without a heartbeat` (3.x), or the audit event `heartbeat timeout` (2.10 and later).",
		Rivals: []string{
			"sigkill-unknown",
			"node-lost",
			"memory-container",
			"false-zombie",
			"Up to 2.11 a purge within seconds of the last line means that the supervisor had ended, not that 300 s went by.",
		},
		Do: []Remedy{
			{
				Say:    "Look at what happened to the pod or host when the log stops.",
				Run:    "kubectl get events --field-selector involvedObject.name={pod} --sort-by=.lastTimestamp",
				Safety: "inspect",
			},
			{
				Say:    "Ask the host's kernel.",
				Run:    "journalctl -k --no-pager | grep -iE 'out of memory|oom-kill|killed process'",
				Safety: "inspect",
			},
			{
				Say:    "See the limit (up to 2.11 it is scheduler_zombie_task_threshold).",
				Run:    "airflow config get-value scheduler task_instance_heartbeat_timeout",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "heartbeats-lost",
		Kind:   "cause",
		Group:  "Airflow itself",
		Means:  "The supervisor could not reach the database (2.x) or the API server (3.x) for too long, and ended its own task.",
		Proven: "`Heartbeat time limit exceeded!` in the task log (2.x), or `Too many failed heartbeats; terminating process` in the worker's log (3.x; the task log says nothing).",
		Rivals: []string{
			"worker-shutdown",
			"A frozen host, whose heartbeats failed because nothing ran at all.",
		},
		Do: []Remedy{
			{
				Say:    "Look for the failed heartbeats before it; they name the error.",
				Run:    "grep -iE 'heartbeat' worker.log | tail -n 50",
				Safety: "inspect",
			},
			{
				Say:    "Check the database or API server at that time; many tries on many hosts at once point to it.",
				Run:    "airflow db check",
				Safety: "inspect",
			},
			{
				Say:    "Airflow 3 gives up after max_failed_heartbeats in a row; see the value.",
				Run:    "airflow config get-value workers max_failed_heartbeats",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "false-zombie",
		Kind:   "cause",
		Group:  "Airflow itself",
		Means:  "The try was declared dead although it went on working. Its heartbeats were late or lost, and Airflow stopped or replaced a live task.",
		Proven: "A purge of this try, and records of its work, or its stop by the supervisor, after the purge.",
		Rivals: []string{"Buffered output of a process that was dead already.", "cleared"},
		Do: []Remedy{
			{
				Say:    "Check for work that was done twice.",
				Safety: "inspect",
			},
			{
				Say:    "Look for a starved worker, a slow database, or clocks that differ between scheduler and worker.",
				Run:    "kubectl top pod {pod}",
				Safety: "inspect",
			},
			{
				Say:    "Raise the limit if the workers are only slow: [scheduler] scheduler_zombie_task_threshold (up to 2.11), task_instance_heartbeat_timeout (3.x).",
				Safety: "low-risk",
			},
		},
	},
	{
		Name:   "orphan-reset",
		Kind:   "cause",
		Group:  "Airflow itself",
		Means:  "A scheduler found the try without an owner and reset it to be scheduled again. It is no failure of the task, and it leaves no row in the history.",
		Proven: "`Reset the following N orphaned TaskInstances` names it; in 3.0 an answer that its state is null goes with it.",
		Rivals: []string{"scheduler-restart", "cleared"},
		Do: []Remedy{
			{
				Say:    "See which scheduler went away before.",
				Run:    "grep -E 'orphaned|SchedulerJob instances as failed' scheduler.log | tail",
				Safety: "inspect",
			},
			{
				Say:    "Check whether the old process is still at work beside the new one.",
				Run:    "ps -eo pid,lstart,args | grep -E '[a]irflow (task|worker)'",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "scheduler-restart",
		Kind:   "cause",
		Group:  "Airflow itself",
		Means:  "The scheduler stopped or restarted, and the try went down with it or was started anew by the next one. With the LocalExecutor tasks run beneath the scheduler.",
		Proven: "A scheduler's log that ends or starts within the life of the try, with an executor whose tasks live beneath it.",
		Rivals: []string{"worker-shutdown", "orphan-reset"},
		Do: []Remedy{
			{
				Say:    "See why it restarted.",
				Run:    "kubectl describe pod -l component=scheduler",
				Safety: "inspect",
			},
			{
				Say:    "In Airflow 3 the old task may go on beside the new try; look for it.",
				Run:    "ps -eo pid,lstart,args | grep -E '[a]irflow (task|worker)'",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "worker-shutdown",
		Kind:   "cause",
		Group:  "Airflow itself",
		Means:  "The worker or the supervisor was asked to stop (SIGTERM) and took the task down with it. Deployments, scale-down, drained nodes and deleted pods all do that.",
		Proven: "`Received SIGTERM. Terminating subprocesses` without a full stop, from local_task_job or local_task_job_runner, or return code 143 there (2.1.3 and later); a worker that says that it shuts down. It proves the request, not who made it.",
		Rivals: []string{"rollout", "scale-down", "node-drained", "spot-reclaimed", "pod-deleted"},
		Do: []Remedy{
			{
				Say:    "Ask what happened to the pod.",
				Run:    "kubectl get events --field-selector involvedObject.name={pod} --sort-by=.lastTimestamp",
				Safety: "inspect",
			},
			{
				Say:    "See whether other tries of that worker ended in the same minute.",
				Run:    "lastwords scan LOGS worker.log",
				Safety: "inspect",
			},
			{
				Say:    "Give workers a grace period as long as the longest task (terminationGracePeriodSeconds; 600 s in the official chart).",
				Safety: "mutating",
			},
		},
	},
	{
		Name:   "worker-killed",
		Kind:   "cause",
		Group:  "Airflow itself",
		Means:  "The process that held the try's supervisor was killed: celery's pool child, the worker itself, or a LocalExecutor process. The task was left without anybody to report for it.",
		Proven: "Celery's `exited with 'signal 9 (SIGKILL)'` or `WorkerLostError`, or a return code 9 of its command, for this try, and the try's log really stops there.",
		Rivals: []string{
			"The same celery lines without an end of the log are harmless; the task then lives on and can succeed.",
			"memory-child",
			"worker-shutdown",
		},
		Do: []Remedy{
			{
				Say:    "Ask the host's kernel which process it killed.",
				Run:    "journalctl -k --no-pager | grep -iE 'out of memory|oom-kill|killed process'",
				Safety: "inspect",
			},
			{
				Say:    "Count how many tasks share the worker's memory.",
				Run:    "airflow config get-value celery worker_concurrency",
				Safety: "inspect",
			},
			{
				Say:    "Look for the task's own process, which can outlive its supervisor.",
				Run:    "ps -eo pid,lstart,args | grep -E '[a]irflow (task|worker)'",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "airflow-sigkill",
		Kind:   "cause",
		Group:  "Airflow itself",
		Means:  "Airflow asked the task to stop with SIGTERM, the task did not stop in time, and Airflow killed it with SIGKILL. It is no sign of a lack of memory.",
		Proven: "`did not respond to SIGTERM. Trying SIGKILL` (up to 2.11), or `Process did not terminate in time; escalating` in the worker's log (3.x), before the −9.",
		Rivals: []string{
			"The real cause is what made Airflow stop the task; look at the records before the SIGTERM.",
			"setter-unknown",
			"heartbeats-lost",
		},
		Do: []Remedy{
			{
				Say:    "Find out why it was to stop.",
				Run:    "lastwords {log} scheduler.log",
				Safety: "inspect",
			},
			{
				Say:    "See how long Airflow waits (2.x; Airflow 3 waits 5 s a step).",
				Run:    "airflow config get-value core killed_task_cleanup_time",
				Safety: "inspect",
			},
			{
				Say:    "Let on_kill end remote work quickly, and do not catch SIGTERM without leaving.",
				Safety: "low-risk",
			},
		},
	},
	{
		Name:   "stuck-queued",
		Kind:   "cause",
		Group:  "Airflow itself",
		Means:  "The try stood in the queue for longer than Airflow allows, and was failed without having started.",
		Proven: "`stuck in queued as failed` (2.6–2.10.3), or `Task requeue attempts exceeded max; marking failed` (2.10.4 and later). `will try to requeue` is not the end.",
		Rivals: []string{"executor-failed-queued", "unschedulable", "No worker listens on the task's queue."},
		Do: []Remedy{
			{
				Say:    "See whether workers are alive and listen on that queue.",
				Run:    "celery -A airflow.providers.celery.executors.celery_executor.app inspect active_queues",
				Safety: "inspect",
			},
			{
				Say:    "Look for a worker pod that never became ready.",
				Run:    "kubectl get pods --field-selector status.phase=Pending",
				Safety: "inspect",
			},
			{
				Say:    "See the limit.",
				Run:    "airflow config get-value scheduler task_queued_timeout",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "executor-failed-queued",
		Kind:   "cause",
		Group:  "Airflow itself",
		Means:  "The executor said that the try had ended while Airflow still had it as queued. The worker's process or pod died before the task began, or refused to begin.",
		Proven: "`Executor reports task instance … finished (failed) although the task says it's queued`, or from 2.9.3 `state attribute is queued`, for this try.",
		Rivals: []string{
			"dag-missing",
			"import-error",
			"image-pull",
			"In 2.x a deferral or requeue race prints the same; then the task runs later, and it is harmless.",
		},
		Do: []Remedy{
			{
				Say:    "Read what the worker said when it started the command.",
				Run:    "grep -F {task} worker.log | tail -n 50",
				Safety: "inspect",
			},
			{
				Say:    "Look at the pod, if one was made.",
				Run:    "kubectl describe pod {pod}",
				Safety: "inspect",
			},
			{
				Say:    "Ask for import errors of the DAG.",
				Run:    "airflow dags list-import-errors",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "log-upload-missing",
		Kind:   "cause",
		Group:  "Airflow itself",
		Means:  "The try ran, as other records show, but its log is not where logs are read from. It is uploaded when the supervisor ends in order; a killed worker or pod uploads nothing.",
		Proven: "Records of the scheduler, the worker or the database that the try ran, and a reader that finds no log.",
		Rivals: []string{
			"never-started",
			"Wrong rights on the bucket, or another remote_base_log_folder on the worker.",
		},
		Do: []Remedy{
			{
				Say:    "Look for the log on the worker's own disk.",
				Run:    "kubectl exec {pod} -- ls -l /opt/airflow/logs/dag_id={dag}/run_id={run}/task_id={task}",
				Safety: "inspect",
			},
			{
				Say:    "Search the worker's log for the upload's error.",
				Run:    "grep -iE 'remote log|upload|s3' worker.log | tail",
				Safety: "inspect",
			},
			{
				Say:    "Keep a copy outside the pod (log collector, shared volume), so that killed tries leave something.",
				Safety: "mutating",
			},
		},
	},
	{
		Name:   "sigkill-unknown",
		Kind:   "cause",
		Group:  "signals",
		Means:  "SIGKILL ended the process, and nothing at hand says who sent it. No program can catch SIGKILL, so the process left no word about it.",
		Proven: "−9, 137 or Negsignal.SIGKILL prove the signal only. The certainty is unknown; memory is among the candidates as possible, no more.",
		Rivals: []string{
			"memory-container",
			"memory-child",
			"memory-node",
			"evicted-memory",
			"airflow-sigkill",
			"A grace period that ran out after a SIGTERM, a liveness probe, `kill -9` by a person, or a node that went down.",
		},
		Do: []Remedy{
			{
				Say:    "See how the container ended. A worker's own pod that lives on shows it in lastState.",
				Run:    "kubectl get pod {pod} -o jsonpath='{.status.reason}{\"\\n\"}{.status.containerStatuses[*].state.terminated}{\"\\n\"}{.status.containerStatuses[*].lastState.terminated}{\"\\n\"}'",
				Safety: "inspect",
			},
			{
				Say:    "Ask the kernel of the host; its line names the pid that it killed.",
				Run:    "journalctl -k --since '2 hours ago' --no-pager | grep -iE 'out of memory|oom-kill|killed process'",
				Safety: "inspect",
			},
			{
				Say:    "Read the node's events; they are kept for about an hour.",
				Run:    "kubectl get events -A --field-selector involvedObject.name={node} --sort-by=.lastTimestamp",
				Safety: "inspect",
			},
			{
				Say:    "See whether other tries died at the same point; that makes memory likely.",
				Run:    "lastwords timeline LOGS",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "sigterm-unknown",
		Kind:   "cause",
		Group:  "signals",
		Means:  "Something asked the task's process to stop (SIGTERM), and nothing at hand says who. It was neither Airflow's supervisor nor a changed state, as far as the records go.",
		Proven: "`Received SIGTERM. Terminating subprocesses.` of the task process, or 143, without a shutdown of the supervisor and without a state set from outside. The certainty is unknown.",
		Rivals: []string{"worker-shutdown", "pod-deleted", "node-drained", "A person or a script with `kill`."},
		Do: []Remedy{
			{
				Say:    "Ask what happened to the pod.",
				Run:    "kubectl get events --field-selector involvedObject.name={pod} --sort-by=.lastTimestamp",
				Safety: "inspect",
			},
			{
				Say:    "See whether other tries on that host were stopped in the same minute.",
				Run:    "lastwords scan LOGS worker.log",
				Safety: "inspect",
			},
			{
				Say:    "Ask the audit log for a person's action.",
				Run:    "curl -snG \"$AIRFLOW_API/eventLogs\" --data-urlencode dag_id={dag} --data-urlencode task_id={task}",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "signal-unknown",
		Kind:   "cause",
		Group:  "signals",
		Means:  "A signal other than SIGKILL, SIGTERM and the crash signals ended the process, and nothing says who sent it.",
		Proven: "The number in the supervisor's record. The certainty is unknown.",
		Rivals: []string{
			"SIGINT (−2) can come from a terminal, or from Airflow 3's own escalation.",
			"SIGHUP (−1) comes with a closed terminal or session.",
			"SIGXCPU (−24) comes from a CPU limit of the process.",
		},
		Do: []Remedy{
			{
				Say:    "See what the number means.",
				Run:    "kill -l",
				Safety: "inspect",
			},
			{
				Say:    "Look at the host's journal of that minute.",
				Run:    "journalctl --since '2 hours ago' --no-pager | tail -n 200",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "segfault",
		Kind:   "cause",
		Group:  "signals",
		Means:  "Native code in the process (a C extension, a driver, the interpreter) touched memory that it must not (SIGSEGV).",
		Proven: "−11 or Negsignal.SIGSEGV, Airflow's `Received SIGSEGV` banner followed by the end of the try, or the kernel's `segfault at` for this process.",
		Rivals: []string{
			"A stack that grew too deep in C code or by recursion.",
			"A library that was built for another version of its partner (NumPy, Arrow, database drivers).",
			"Up to 2.11 a real crash inside the task can also spin at full CPU without a line until somebody stops it.",
		},
		Do: []Remedy{
			{
				Say:    "Ask the kernel which library it happened in.",
				Run:    "journalctl -k --no-pager | grep -E 'segfault at|traps:'",
				Safety: "inspect",
			},
			{
				Say:    "Compare library versions with those of the last good run.",
				Run:    "pip freeze",
				Safety: "inspect",
			},
			{
				Say:    "Run the native step in a child process with PYTHONFAULTHANDLER=1, so that it prints its stack and cannot take the task with it.",
				Safety: "low-risk",
			},
		},
	},
	{
		Name:   "abort",
		Kind:   "cause",
		Group:  "signals",
		Means:  "Native code in the process gave up by itself (SIGABRT): a failed assertion, a corrupted heap, or an error that nobody handled in C++ or Rust.",
		Proven: "−6 or Negsignal.SIGABRT; exit code 134 of the container.",
		Rivals: []string{
			"A C++ program that was refused memory (std::bad_alloc) aborts too, without any kernel record.",
			"A `Fatal Python error` of the interpreter, which prints its own dump before.",
		},
		Do: []Remedy{
			{
				Say:    "Read the last lines on stderr; abort usually prints why.",
				Run:    "tail -n 60 {log}",
				Safety: "inspect",
			},
			{
				Say:    "Compare library versions with those of the last good run.",
				Run:    "pip freeze",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "native-crash",
		Kind:   "cause",
		Group:  "signals",
		Means:  "Native code crashed in another way, such as SIGBUS or SIGILL, or the crash is seen only as the container's exit code (132, 134, 135, 139).",
		Proven: "The signal in the supervisor's record, or the exit code of this try's container; likely where only the code is known.",
		Rivals: []string{
			"SIGBUS (135) also comes from a file that is mapped into memory on a full disk or tmpfs.",
			"SIGILL (132) comes from a library that was built for another CPU.",
		},
		Do: []Remedy{
			{
				Say:    "Read how the container ended.",
				Run:    "kubectl get pod {pod} -o jsonpath='{.status.containerStatuses[*].state.terminated}{\"\\n\"}{.status.containerStatuses[*].lastState.terminated}{\"\\n\"}'",
				Safety: "inspect",
			},
			{
				Say:    "Ask the kernel.",
				Run:    "journalctl -k --no-pager | grep -E 'segfault at|traps:'",
				Safety: "inspect",
			},
			{
				Say:    "See whether a disk or /dev/shm is full.",
				Run:    "kubectl exec {pod} -- df -h",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "memory",
		Kind:   "cause",
		Group:  "memory",
		Means:  "Several tries were killed at the same point of the work, and the usual reason for that is a step that needs more memory than there is. Whose limit it would be, the container's or the node's, is not known.",
		Proven: "Never proven by itself. The finding memory-same-point makes it likely, or possible where all tries also lived equally long; a witness turns it into memory-container, memory-child or memory-node.",
		Rivals: []string{
			"A time limit, probe or deadline that strikes after the same number of minutes.",
			"airflow-sigkill",
			"memory-container",
			"memory-node",
		},
		Do: []Remedy{
			{
				Say:    "See how the container ended.",
				Run:    "kubectl get pod {pod} -o jsonpath='{.status.containerStatuses[*].state.terminated}{\"\\n\"}{.status.containerStatuses[*].lastState.terminated}{\"\\n\"}'",
				Safety: "inspect",
			},
			{
				Say:    "Ask the host's kernel.",
				Run:    "journalctl -k --no-pager | grep -iE 'out of memory|oom-kill|killed process'",
				Safety: "inspect",
			},
			{
				Say:    "Lower the peak of the step after the last words; read in chunks, stream, fewer children at once.",
				Safety: "low-risk",
			},
			{
				Say:    "Raise the memory limit, with the request equal to it.",
				Safety: "mutating",
			},
		},
	},
	{
		Name:   "memory-container",
		Kind:   "cause",
		Group:  "memory",
		Means:  "The container used more memory than its limit allows, and the kernel killed it.",
		Proven: "The container ended `OOMKilled` with 137 at the time of the death, the kernel names this container (`CONSTRAINT_MEMCG`), or the executor's own record of this pod says `OOMKilled`. 137 alone proves nothing.",
		Rivals: []string{
			"memory-node",
			"`OOMKilled` with another exit code can be an older kill of a child; see memory-child.",
			"Files in a memory-backed volume (emptyDir with medium Memory, /dev/shm) count as well.",
		},
		Do: []Remedy{
			{
				Say:    "See limit and last state.",
				Run:    "kubectl describe pod {pod}",
				Safety: "inspect",
			},
			{
				Say:    "Read the kernel's line; it says how much was in use and by what.",
				Run:    "journalctl -k --no-pager | grep -E 'oom-kill:|Killed process'",
				Safety: "inspect",
			},
			{
				Say:    "Lower the peak; read in chunks, stream, fewer children at once.",
				Safety: "low-risk",
			},
			{
				Say:    "Raise the limit and set the request equal to it (executor_config or the pod template).",
				Safety: "mutating",
			},
		},
	},
	{
		Name:   "memory-child",
		Kind:   "cause",
		Group:  "memory",
		Means:  "The kernel killed one process for lack of memory (the task, or a child that it had started) and left the others alive. The supervisor, the worker or the shell above it lived to report it.",
		Proven: "A kernel line that names the process, by pid and host or by container, with a single victim; or `OOMKilled` on a container that lived on or ended with another code than 137.",
		Rivals: []string{
			"memory-container",
			"memory-node",
			"With Celery many tries share one worker; one kernel line belongs to one of them only.",
		},
		Do: []Remedy{
			{
				Say:    "Read which process it was; the log names the task's pid in `Started process`.",
				Run:    "journalctl -k --no-pager | grep -E 'oom-kill:|Killed process'",
				Safety: "inspect",
			},
			{
				Say:    "For Celery, run fewer tasks at once on a worker.",
				Run:    "airflow config get-value celery worker_concurrency",
				Safety: "inspect",
			},
			{
				Say:    "Lower the peak of that process, or move the task to a queue with larger workers.",
				Safety: "mutating",
			},
		},
	},
	{
		Name:   "memory-node",
		Kind:   "cause",
		Group:  "memory",
		Means:  "The whole node or host ran out of memory, and the kernel, or a user-space guard such as systemd-oomd, picked this process. The victim need not be the culprit.",
		Proven: "A kernel line with `global_oom` or `Out of memory:` that names this process or container, or a guard's line that names its cgroup.",
		Rivals: []string{
			"memory-container",
			"`SystemOOM` in the node's events names no pod; alone it makes this likely at most.",
			"Kernels 5.0 and 5.1 print CONSTRAINT_NONE for limits of a container too.",
		},
		Do: []Remedy{
			{
				Say:    "Read the kernel's table of processes at that moment; it shows who held the memory.",
				Run:    "journalctl -k --no-pager | grep -B 60 -E 'Out of memory|global_oom' | tail -n 120",
				Safety: "inspect",
			},
			{
				Say:    "Look at requests and limits on the node.",
				Run:    "kubectl describe node {node}",
				Safety: "inspect",
			},
			{
				Say:    "Set memory requests to what the tasks really use, so that the scheduler packs fewer of them on a node.",
				Safety: "mutating",
			},
		},
	},
	{
		Name:   "evicted-memory",
		Kind:   "cause",
		Group:  "memory",
		Means:  "The node was short of memory, and the kubelet evicted the pod to get some back. Pods that use more than they request go first.",
		Proven: "The pod's reason `Evicted`, or the kubelet's event, with `The node was low on resource: memory`.",
		Rivals: []string{
			"memory-node",
			"`Evicted` by Karpenter (type Normal) is a drain, not pressure; see scale-down.",
		},
		Do: []Remedy{
			{
				Say:    "Read the kubelet's message; it names usage and request.",
				Run:    "kubectl describe pod {pod}",
				Safety: "inspect",
			},
			{
				Say:    "Look at the node's pressure and its other pods.",
				Run:    "kubectl describe node {node}",
				Safety: "inspect",
			},
			{
				Say:    "Raise the memory request of the task to what it uses.",
				Safety: "mutating",
			},
		},
	},
	{
		Name:   "evicted-disk",
		Kind:   "cause",
		Group:  "cluster",
		Means:  "The node was short of disk space or inodes, and the kubelet evicted the pod.",
		Proven: "The pod's reason `Evicted`, or the kubelet's event, with `The node was low on resource: ephemeral-storage` or inodes.",
		Rivals: []string{"evicted-storage-limit"},
		Do: []Remedy{
			{
				Say:    "Read the kubelet's message.",
				Run:    "kubectl describe pod {pod}",
				Safety: "inspect",
			},
			{
				Say:    "See what fills the node; images, container logs and emptyDir volumes are the usual ones.",
				Run:    "kubectl describe node {node}",
				Safety: "inspect",
			},
			{
				Say:    "Give the task an ephemeral-storage request, and write large files to a volume.",
				Safety: "mutating",
			},
		},
	},
	{
		Name:   "evicted-storage-limit",
		Kind:   "cause",
		Group:  "cluster",
		Means:  "The pod wrote more than its own storage limit allows, and the kubelet evicted it. The node had room.",
		Proven: "The pod's reason `Evicted` with `exceeded its local ephemeral storage limit`, `Pod ephemeral local storage usage exceeds` or `Usage of EmptyDir volume … exceeds the limit`.",
		Rivals: []string{"evicted-disk"},
		Do: []Remedy{
			{
				Say:    "Read which limit it was.",
				Run:    "kubectl describe pod {pod}",
				Safety: "inspect",
			},
			{
				Say:    "Remove temporary files as you go, or write them to a volume.",
				Safety: "low-risk",
			},
			{
				Say:    "Raise the limit or the volume's sizeLimit.",
				Safety: "mutating",
			},
		},
	},
	{
		Name:   "evicted-pids",
		Kind:   "cause",
		Group:  "cluster",
		Means:  "The node was short of process ids, and the kubelet evicted the pod.",
		Proven: "The pod's reason `Evicted`, or the kubelet's event, with `The node was low on resource: pids`.",
		Rivals: []string{"Another pod on the node that starts processes without end."},
		Do: []Remedy{
			{
				Say:    "Read the kubelet's message.",
				Run:    "kubectl describe pod {pod}",
				Safety: "inspect",
			},
			{
				Say:    "Count processes by their command on the node.",
				Run:    "ps -eo comm | sort | uniq -c | sort -rn | head",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "preempted",
		Kind:   "cause",
		Group:  "cluster",
		Means:  "A pod of higher priority needed the room, and this pod was removed for it.",
		Proven: "Condition DisruptionTarget with PreemptionByScheduler, the scheduler's event `Preempted`, or the kubelet's reason `Preempting`.",
		Rivals: []string{"evicted-memory"},
		Do: []Remedy{
			{
				Say:    "Read who took the place.",
				Run:    "kubectl get events --field-selector involvedObject.name={pod} --sort-by=.lastTimestamp",
				Safety: "inspect",
			},
			{
				Say:    "Compare the priority classes.",
				Run:    "kubectl get priorityclasses",
				Safety: "inspect",
			},
			{
				Say:    "Give Airflow's task pods a higher priorityClassName, or the other pods `preemptionPolicy` Never.",
				Safety: "mutating",
			},
		},
	},
	{
		Name:   "spot-reclaimed",
		Kind:   "cause",
		Group:  "cluster",
		Means:  "The cloud took the machine back (spot or preemptible capacity), with a notice of two minutes or less.",
		Proven: "A spot notice for this pod's node before the death, and the end of the pod or node after it; likely without the second.",
		Rivals: []string{"scale-down", "node-shutdown", "node-lost"},
		Do: []Remedy{
			{
				Say:    "Read the node's events.",
				Run:    "kubectl get events -A --field-selector involvedObject.name={node} --sort-by=.lastTimestamp",
				Safety: "inspect",
			},
			{
				Say:    "See which kind of node it was.",
				Run:    "kubectl get node {node} --show-labels",
				Safety: "inspect",
			},
			{
				Say:    "Run long tasks on on-demand nodes (node selector in executor_config), or let them resume from a checkpoint. No annotation holds off a reclaim.",
				Safety: "mutating",
			},
		},
	},
	{
		Name:   "scale-down",
		Kind:   "cause",
		Group:  "cluster",
		Means:  "An autoscaler removed the node or the worker because it looked idle or badly used, while the try was on it.",
		Proven: "The cluster autoscaler's `ScaleDown` for this pod, Karpenter's `Evicted` (Normal) or `DisruptionTerminating` with Underutilized or Empty, or a worker set that shrank.",
		Rivals: []string{"node-rotation", "spot-reclaimed", "rollout"},
		Do: []Remedy{
			{
				Say:    "Read the events of the pod and its node.",
				Run:    "kubectl get events -A --field-selector involvedObject.name={pod} --sort-by=.lastTimestamp",
				Safety: "inspect",
			},
			{
				Say:    "Protect task pods by annotation: `cluster-autoscaler.kubernetes.io/safe-to-evict: \"false\"`, for Karpenter `karpenter.sh/do-not-disrupt: \"true\"`.",
				Safety: "mutating",
			},
			{
				Say:    "Give Celery workers a grace period as long as the longest task.",
				Safety: "mutating",
			},
		},
	},
	{
		Name:   "node-rotation",
		Kind:   "cause",
		Group:  "cluster",
		Means:  "The node was replaced on purpose: drift, expiry, an upgrade or planned maintenance.",
		Proven: "Karpenter's Drifted, Expired, `Disrupted` or `TerminationGracePeriodExpiring`, or a `ScheduledEvent` of the termination handler, for this node.",
		Rivals: []string{"scale-down", "node-drained"},
		Do: []Remedy{
			{
				Say:    "Read the node's events.",
				Run:    "kubectl get events -A --field-selector involvedObject.name={node} --sort-by=.lastTimestamp",
				Safety: "inspect",
			},
			{
				Say:    "Put rotation into a window in which no long task runs, or give it a disruption budget.",
				Safety: "mutating",
			},
		},
	},
	{
		Name:   "node-drained",
		Kind:   "cause",
		Group:  "cluster",
		Means:  "Somebody, or a tool, drained the node, and the pod was evicted through the API or by a taint.",
		Proven: "An audit record of the eviction; likely with condition EvictionByEvictionAPI and a cordon (`NodeNotSchedulable`) just before, and no autoscaler's record. The eviction alone is possible at most.",
		Rivals: []string{"scale-down", "node-rotation", "spot-reclaimed"},
		Do: []Remedy{
			{
				Say:    "Look for a cordon.",
				Run:    "kubectl get events -A --field-selector involvedObject.name={node} --sort-by=.lastTimestamp",
				Safety: "inspect",
			},
			{
				Say:    "See whether the node is still cordoned.",
				Run:    "kubectl get node {node}",
				Safety: "inspect",
			},
			{
				Say:    "Protect workers with a PodDisruptionBudget, and announce drains.",
				Safety: "mutating",
			},
		},
	},
	{
		Name:   "node-shutdown",
		Kind:   "cause",
		Group:  "cluster",
		Means:  "The node's operating system shut down, and the kubelet ended its pods first.",
		Proven: "The pod's reason `Terminated` or `Shutdown` with the text of an imminent node shutdown, or the node's event `Shutdown`.",
		Rivals: []string{"On a spot node it is most likely a reclaim; see spot-reclaimed.", "node-lost"},
		Do: []Remedy{
			{
				Say:    "Read the pod's reason.",
				Run:    "kubectl describe pod {pod}",
				Safety: "inspect",
			},
			{
				Say:    "Look at the end of the previous boot.",
				Run:    "journalctl -b -1 -n 50 --no-pager",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "node-lost",
		Kind:   "cause",
		Group:  "cluster",
		Means:  "The node stopped answering, or vanished. The task may have died with it, or may have run on, unseen, for a while.",
		Proven: "Records of this node: `NodeNotReady` and `TaintManagerEviction`, condition DeletionByPodGC, or `DeletingNode`. They prove the loss of the node, not the moment of the task's death.",
		Rivals: []string{
			"spot-reclaimed",
			"DeletionByTaintManager alone may be an operator's taint on a healthy node; see node-drained.",
		},
		Do: []Remedy{
			{
				Say:    "Check first whether the old task still runs or finished; the next try may be the second execution.",
				Run:    "kubectl get pods -A --field-selector spec.nodeName={node} -o wide",
				Safety: "inspect",
			},
			{
				Say:    "Read the node's events.",
				Run:    "kubectl get events -A --field-selector involvedObject.name={node} --sort-by=.lastTimestamp",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "rollout",
		Kind:   "cause",
		Group:  "cluster",
		Means:  "A new version of the workers was deployed, and the old worker was stopped with the try on it.",
		Proven: "At most likely: the worker pod was replaced by one of a new template (`SuccessfulDelete` beside a new ReplicaSet, or the same StatefulSet name made again).",
		Rivals: []string{"scale-down", "node-drained"},
		Do: []Remedy{
			{
				Say:    "See when the workers were rolled out.",
				Run:    "kubectl get replicasets,controllerrevisions -l component=worker --sort-by=.metadata.creationTimestamp",
				Safety: "inspect",
			},
			{
				Say:    "Let workers finish before they stop (warm shutdown, terminationGracePeriodSeconds as long as the longest task).",
				Safety: "mutating",
			},
		},
	},
	{
		Name:   "liveness-killed",
		Kind:   "cause",
		Group:  "cluster",
		Means:  "The kubelet restarted the container because its liveness probe failed. A worker that is busy or starved of CPU can fail it without being dead.",
		Proven: "The event `Container … failed liveness probe, will be restarted`. `Unhealthy` events alone make it possible.",
		Rivals: []string{"memory-container", "A worker that hung for real."},
		Do: []Remedy{
			{
				Say:    "Read the probe's failures.",
				Run:    "kubectl get events --field-selector involvedObject.name={pod} --sort-by=.lastTimestamp",
				Safety: "inspect",
			},
			{
				Say:    "Look at the CPU of the worker.",
				Run:    "kubectl top pod {pod} --containers",
				Safety: "inspect",
			},
			{
				Say:    "Give the probe a longer timeout, or the worker more CPU.",
				Safety: "mutating",
			},
		},
	},
	{
		Name:   "pod-deadline",
		Kind:   "cause",
		Group:  "cluster",
		Means:  "The pod was alive for longer than its activeDeadlineSeconds. That limit belongs to Kubernetes; it is not Airflow's execution_timeout.",
		Proven: "The pod's reason, or the kubelet's event, `DeadlineExceeded`.",
		Rivals: []string{"execution-timeout"},
		Do: []Remedy{
			{
				Say:    "See the limit.",
				Run:    "kubectl get pod {pod} -o jsonpath='{.spec.activeDeadlineSeconds}{\"\\n\"}'",
				Safety: "inspect",
			},
			{
				Say:    "Raise it in the pod template, or `active_deadline_seconds` of the KubernetesPodOperator.",
				Safety: "low-risk",
			},
		},
	},
	{
		Name:   "pod-deleted",
		Kind:   "cause",
		Group:  "cluster",
		Means:  "The pod was deleted through the API: by a person, by a controller, or by Airflow itself after a clear or a changed state.",
		Proven: "An audit record of the deletion that names the caller; likely with the executor's `deleted before it could complete`; otherwise possible.",
		Rivals: []string{"node-drained", "scale-down", "preempted", "cleared"},
		Do: []Remedy{
			{
				Say:    "Read what is left of the pod's events.",
				Run:    "kubectl get events --field-selector involvedObject.name={pod} --sort-by=.lastTimestamp",
				Safety: "inspect",
			},
			{
				Say:    "Read the executor's words about the pod.",
				Run:    "grep -F {pod} scheduler.log",
				Safety: "inspect",
			},
			{
				Say:    "Ask the cluster's audit log for verb delete on this pod.",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "image-pull",
		Kind:   "cause",
		Group:  "never ran",
		Means:  "The node could not get the container image: wrong name or tag, no rights, or a registry that did not answer.",
		Proven: "The container waits with ErrImagePull, ImagePullBackOff or InvalidImageName, or the event `Failed to pull image` names it.",
		Rivals: []string{"A registry's rate limit or an outage, which ends by itself."},
		Do: []Remedy{
			{
				Say:    "Read the registry's answer.",
				Run:    "kubectl describe pod {pod}",
				Safety: "inspect",
			},
			{
				Say:    "Try the pull by hand.",
				Run:    "docker pull IMAGE",
				Safety: "low-risk",
			},
			{
				Say:    "Mend the tag, or the imagePullSecrets.",
				Safety: "mutating",
			},
		},
	},
	{
		Name:   "unschedulable",
		Kind:   "cause",
		Group:  "never ran",
		Means:  "No node was found for the pod: too little free CPU or memory, or selectors, taints and volumes that no node fits.",
		Proven: "Condition PodScheduled False with Unschedulable, or the event `FailedScheduling`, until the try was given up.",
		Rivals: []string{"quota", "A cluster that was still scaling up when Airflow gave up."},
		Do: []Remedy{
			{
				Say:    "Read the scheduler's reasons, node by node.",
				Run:    "kubectl describe pod {pod}",
				Safety: "inspect",
			},
			{
				Say:    "Compare requests with what nodes have left.",
				Run:    "kubectl describe nodes | grep -A 8 'Allocated resources'",
				Safety: "inspect",
			},
			{
				Say:    "Lower the request, or allow more nodes.",
				Safety: "mutating",
			},
		},
	},
	{
		Name:   "mount-failed",
		Kind:   "cause",
		Group:  "never ran",
		Means:  "A volume, secret or config map of the pod could not be attached or mounted, and the container was not started.",
		Proven: "The event `FailedMount` or `FailedAttachVolume` for this pod, and no start of the container.",
		Rivals: []string{"A volume that still hangs on a lost node."},
		Do: []Remedy{
			{
				Say:    "Read which volume it is.",
				Run:    "kubectl describe pod {pod}",
				Safety: "inspect",
			},
			{
				Say:    "Look at claims and attachments.",
				Run:    "kubectl get pvc,volumeattachments",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "sandbox-failed",
		Kind:   "cause",
		Group:  "never ran",
		Means:  "The node could not make the pod's sandbox, most often because its network was not ready or had no addresses left.",
		Proven: "The event `FailedCreatePodSandBox` or `NetworkNotReady` for this pod, and no start of the container.",
		Rivals: []string{"A node that had just started; the next try then works."},
		Do: []Remedy{
			{
				Say:    "Read the message of the network plug-in.",
				Run:    "kubectl describe pod {pod}",
				Safety: "inspect",
			},
			{
				Say:    "See whether other pods on the node fail in the same way.",
				Run:    "kubectl get events -A --sort-by=.lastTimestamp | grep -F FailedCreatePodSandBox",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "container-config",
		Kind:   "cause",
		Group:  "never ran",
		Means:  "The container could not be made or started from its description: a missing secret or config map key, a bad command, a bad security context.",
		Proven: "The container waits with CreateContainerConfigError, CreateContainerError or RunContainerError, or ended with StartError (128).",
		Rivals: []string{"init-failed"},
		Do: []Remedy{
			{
				Say:    "Read the message; it names the key or the command.",
				Run:    "kubectl describe pod {pod}",
				Safety: "inspect",
			},
			{
				Say:    "See whether the secret or config map exists in that namespace.",
				Run:    "kubectl get secrets,configmaps",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "init-failed",
		Kind:   "cause",
		Group:  "never ran",
		Means:  "An init container of the pod failed (git-sync, kerberos, migrations), and the task's container never started.",
		Proven: "An init container that ended with a code other than 0, or OOMKilled, in a pod whose main container never ran.",
		Rivals: []string{"image-pull"},
		Do: []Remedy{
			{
				Say:    "Read the init container's log.",
				Run:    "kubectl logs {pod} --all-containers --prefix",
				Safety: "inspect",
			},
			{
				Say:    "Read how it ended.",
				Run:    "kubectl get pod {pod} -o jsonpath='{.status.initContainerStatuses[*].state}{\"\\n\"}'",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "quota",
		Kind:   "cause",
		Group:  "never ran",
		Means:  "The namespace's quota was used up, and Kubernetes refused to make the pod.",
		Proven: "The API's answer 403 `exceeded quota`, in the executor's or operator's record or in a FailedCreate event.",
		Rivals: []string{"unschedulable", "admission-rejected"},
		Do: []Remedy{
			{
				Say:    "See what is used up.",
				Run:    "kubectl describe resourcequota",
				Safety: "inspect",
			},
			{
				Say:    "See which pods use it.",
				Run:    "kubectl get pods --sort-by=.metadata.creationTimestamp",
				Safety: "inspect",
			},
			{
				Say:    "Raise the quota, or run fewer tasks at once (pool, parallelism).",
				Safety: "mutating",
			},
		},
	},
	{
		Name:   "admission-rejected",
		Kind:   "cause",
		Group:  "never ran",
		Means:  "Kubernetes or the node refused the pod: a webhook or policy said no, or the kubelet found that the pod no longer fits (OutOfcpu, NodeAffinity, UnexpectedAdmissionError).",
		Proven: "The API's refusal in the executor's record, or the pod's reason with `Pod was rejected`, and no start of the container.",
		Rivals: []string{
			"After a node's restart such a reason can also hit a pod that had run; then it is not never-started.",
			"quota",
		},
		Do: []Remedy{
			{
				Say:    "Read the refusal.",
				Run:    "kubectl describe pod {pod}",
				Safety: "inspect",
			},
			{
				Say:    "Search the executor's record.",
				Run:    "grep -E 'Pod creation failed|Pod reconciliation failed|Pod Mutation Hook failed' scheduler.log | tail",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "evidence-expired",
		Kind:   "cause",
		Group:  "evidence",
		Means:  "Witnesses were given or asked, but they do not reach back to the death, or do not cover its namespace. What killed the try may have stood in what is gone.",
		Proven: "The oldest record of the witness is later than the death, or none is of its namespace. The certainty is unknown.",
		Rivals: []string{"Everything that the missing witness could have said."},
		Do: []Remedy{
			{
				Say:    "Look for a store that keeps more, such as an event exporter, a log collector or the journal on disk.",
				Run:    "journalctl -k --list-boots",
				Safety: "inspect",
			},
			{
				Say:    "Export events from now on; Kubernetes keeps them for one hour by default.",
				Safety: "mutating",
			},
		},
	},
	{
		Name:   "remote-*",
		Kind:   "cause",
		Group:  "launched pod",
		Means:  "The task launched a pod with the KubernetesPodOperator, and something happened to that pod. The rest of the name is a cause of the groups memory, cluster or never ran (remote-memory-container, remote-image-pull), and means the same for the launched pod. The try's own process only reported it.",
		Proven: "The task log names the launched pod, and the pod's own status in that log, or another witness of that pod, says it.",
		Rivals: []string{"The try's own worker pod died; then the name has no `remote-` before it."},
		Do: []Remedy{
			{
				Say:    "Look at the launched pod; the task log names it. on_finish_action decides whether it is kept.",
				Run:    "kubectl get pods -l dag_id={dag},task_id={task},kubernetes_pod_operator=True",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "remote-native-crash",
		Kind:   "cause",
		Group:  "launched pod",
		Means:  "A program in the launched pod crashed in native code; its container ended with 132, 134, 135 or 139.",
		Proven: "The exit code of the launched pod's base container; likely, since a program may return such a code by itself.",
		Rivals: []string{"remote-user-error"},
		Do: []Remedy{
			{
				Say:    "Read the launched pod's last output; it is in the task log unless get_logs is off.",
				Safety: "inspect",
			},
			{
				Say:    "Look at the launched pod.",
				Run:    "kubectl get pods -l dag_id={dag},task_id={task},kubernetes_pod_operator=True",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "remote-user-error",
		Kind:   "cause",
		Group:  "launched pod",
		Means:  "The program in the launched pod ended with an error of its own. Neither the pod nor the task's worker was killed.",
		Proven: "The launched pod's base container ended with reason Error and a small positive code, such as 1 or 2.",
		Rivals: []string{
			"A child of that program that was killed for memory can end the program with code 1.",
			"remote-native-crash",
		},
		Do: []Remedy{
			{
				Say:    "Read the launched pod's last output in the task log.",
				Safety: "inspect",
			},
			{
				Say:    "Keep failed pods for a look (on_finish_action=delete_succeeded_pod).",
				Safety: "low-risk",
			},
		},
	},
	{
		Name:   "memory-same-point",
		Kind:   "finding",
		Means:  "Two or more tries ended by SIGKILL, or silently, at the same point of the same work. The work itself seems to bring the death about, most often by asking for more memory than there is; another try will probably die there as well.",
		Proven: "The last words of the tries are equal once numbers, ids, dates, hosts and paths are set aside, and a counter in them (rows, batch, percent) stands at the same value. At most likely: only a kernel or pod record proves memory. Several hosts make it stronger; one host or unknown hosts make it weaker. Only possible where all tries also lived equally long, since a time limit does that too.",
		Rivals: []string{
			"A time limit, probe or deadline that always strikes after the same number of minutes.",
			"A person or script that kills the task each time.",
			"crash-same-point",
		},
		Do: []Remedy{
			{
				Say:    "Find the witness before you raise anything.",
				Run:    "kubectl get pod {pod} -o jsonpath='{.status.containerStatuses[*].state.terminated}{\"\\n\"}{.status.containerStatuses[*].lastState.terminated}{\"\\n\"}'",
				Safety: "inspect",
			},
			{
				Say:    "Ask the kernel of each host of the tries.",
				Run:    "journalctl -k --no-pager | grep -iE 'out of memory|oom-kill|killed process'",
				Safety: "inspect",
			},
			{
				Say:    "Lower the peak of the step after the last words; read in chunks, stream, fewer children at once.",
				Safety: "low-risk",
			},
			{
				Say:    "Raise the memory limit of the task, with the request equal to it.",
				Safety: "mutating",
			},
		},
	},
	{
		Name:   "crash-same-point",
		Kind:   "finding",
		Means:  "Two or more tries crashed in native code (segfault, abort or the like) at the same point. The input or the library is at fault, not the host.",
		Proven: "Equal crash signals and the same last words, compared as for memory-same-point.",
		Rivals: []string{"A broken host, where all tries ran on the same one."},
		Do: []Remedy{
			{
				Say:    "Compare the library versions of the image with those of the last good run.",
				Run:    "pip freeze",
				Safety: "inspect",
			},
			{
				Say:    "Let Python print its stack at the crash, with PYTHONFAULTHANDLER=1 in the task's child process.",
				Safety: "low-risk",
			},
			{
				Say:    "Run the step after the last words alone, on the same input.",
				Safety: "low-risk",
			},
		},
	},
	{
		Name:   "same-error",
		Kind:   "finding",
		Means:  "Two or more tries ended with the same exception and the same message. Retrying has not helped and will not, until code, data or access changes.",
		Proven: "Equal exception type and equal message with numbers, ids and dates set aside, in at least two tracebacks.",
		Rivals: []string{
			"An outage that lasted longer than all retries together; then the same error may be gone tomorrow.",
		},
		Do: []Remedy{
			{
				Say:    "Read the exception and the frame of your own code once.",
				Safety: "inspect",
			},
			{
				Say:    "Raise AirflowFailException for errors that no retry can mend, so that the next failure costs one try.",
				Safety: "low-risk",
			},
			{
				Say:    "For outages, wait longer between the tries (retry_delay, retry_exponential_backoff).",
				Safety: "low-risk",
			},
		},
	},
	{
		Name:   "same-cause",
		Kind:   "finding",
		Means:  "Two or more failed tries have the same ending and the same cause, but no point to compare, for example because they never started.",
		Proven: "Equal ending and cause in the rows of the tries; as sure as the least sure of them.",
		Rivals: []string{"Two separate events of the same kind, such as two spot reclaims."},
		Do: []Remedy{
			{
				Say:    "Look up what the shared cause means.",
				Run:    "lastwords explain NAME",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "scattered",
		Kind:   "finding",
		Means:  "Two or more tries ended by SIGKILL, or silently, each at a different point. The work is probably not what kills them; look at hosts, neighbours and the cluster.",
		Proven: "The last words differ, or the same text stopped at another value of its counter.",
		Rivals: []string{
			"Memory that other tasks on the same worker use up; the victim then stops anywhere.",
			"A leak whose pace depends on the input.",
		},
		Do: []Remedy{
			{
				Say:    "See whether other tasks died in the same minutes on the same hosts.",
				Run:    "lastwords scan LOGS scheduler.log",
				Safety: "inspect",
			},
			{
				Say:    "Look at the nodes' events of those minutes.",
				Run:    "kubectl get events -A --field-selector involvedObject.kind=Node --sort-by=.lastTimestamp",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "mixed-causes",
		Kind:   "finding",
		Means:  "The failed tries ended in different ways or for different reasons, and share no point. There may be more than one fault.",
		Proven: "At least two different endings or causes among the failed tries, and no finding of a same point.",
		Rivals: []string{
			"One fault with several faces, such as a full node that first kills and then starts nothing.",
		},
		Do: []Remedy{
			{
				Say:    "Read the tries one by one, the first one first.",
				Run:    "lastwords timeline LOGS",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "flaky-then-success",
		Kind:   "finding",
		Means:  "One or more tries failed and a later one succeeded without anybody's help that the logs show. It cost time, and it hides a fault that is still there.",
		Proven: "A failed try followed by a success of the same task instance.",
		Rivals: []string{
			"Somebody repaired the cause between the tries; the audit log would show a clear.",
			"Upstream data arrived late.",
		},
		Do: []Remedy{
			{
				Say:    "See how often it happens and what it costs.",
				Run:    "lastwords timeline LOGS",
				Safety: "inspect",
			},
			{
				Say:    "If the cause is waiting for something, wait for it with a sensor rather than with failures.",
				Safety: "low-risk",
			},
		},
	},
	{
		Name:   "success-then-killed",
		Kind:   "finding",
		Means:  "The task recorded its own success, and only then it was terminated, set or purged. The work is done; what came after it was slow clean-up or a late record.",
		Proven: "The task's own success line, and after it a SIGTERM, a state set from outside or a purge of the same try.",
		Rivals: []string{
			"Callbacks, listeners or XCom pushes after the work that hang for longer than `[core] task_success_overtime` (2.10 and later).",
		},
		Do: []Remedy{
			{
				Say:    "Compare with the state in the database before anybody clears it.",
				Run:    "airflow tasks states-for-dag-run {dag} {run}",
				Safety: "inspect",
			},
			{
				Say:    "Find out what ran after the success line; listeners such as OpenLineage and callbacks are the usual ones.",
				Run:    "tail -n 40 {log}",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "double-execution",
		Kind:   "finding",
		Means:  "Two tries, or two processes of one try, were at work at the same time. Whatever the task writes may have been written twice or torn.",
		Proven: "Records of both, from two processes or hosts, that overlap by more than the clocks may differ (a minute between two hosts).",
		Rivals: []string{"Clocks of two hosts that disagree by more than a minute."},
		Do: []Remedy{
			{
				Say:    "Check the target of the task for doubled or half-written data first.",
				Safety: "inspect",
			},
			{
				Say:    "Look for a process that is still there.",
				Run:    "ps -eo pid,lstart,args | grep -E '[a]irflow (task|worker)'",
				Safety: "inspect",
			},
			{
				Say:    "With Celery on Redis or SQS, compare visibility_timeout with the longest task; a shorter one delivers the message again.",
				Run:    "airflow config get-value celery_broker_transport_options visibility_timeout",
				Safety: "inspect",
			},
			{
				Say:    "Make the task's writes idempotent.",
				Safety: "low-risk",
			},
		},
	},
	{
		Name:   "undead",
		Kind:   "finding",
		Means:  "The try wrote records after Airflow had recorded its death. The process outlived its supervisor or its heartbeats and may have finished, or still run, beside the next try.",
		Proven: "Records of the task's process that are later than the record of its death, by more than the clocks may differ.",
		Rivals: []string{"Output that was held in a buffer and written late.", "Two clocks that disagree."},
		Do: []Remedy{
			{
				Say:    "Look for the process on the host that the log names.",
				Run:    "ps -eo pid,lstart,args | grep -E '[a]irflow (task|worker)'",
				Safety: "inspect",
			},
			{
				Say:    "Check whether its work took effect twice.",
				Safety: "inspect",
			},
			{
				Say:    "Stop the leftover process, once you know that it is one.",
				Run:    "kill PID",
				Safety: "mutating",
			},
		},
	},
	{
		Name:   "missing-try",
		Kind:   "finding",
		Means:  "There is neither a log nor any record of a try between two that have one. Its log is lost, or the number was used up without a start.",
		Proven: "A gap in the try numbers of the task instance, in everything that was given.",
		Rivals: []string{
			"The log lies on another worker, in another bucket, or was removed by a clean-up.",
			"A clear or a requeue can use up a number.",
		},
		Do: []Remedy{
			{
				Say:    "Add the scheduler's log of that time; it names tries that never got a log.",
				Run:    "lastwords scan LOGS scheduler.log",
				Safety: "inspect",
			},
			{
				Say:    "List the other places for logs.",
				Run:    "airflow config get-value logging remote_base_log_folder",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "never-ran",
		Kind:   "finding",
		Means:  "All retries were used up by tries that never started. The task's code is not at fault; it was never asked.",
		Proven: "Every failed try of the task instance is never-started, and no retry is left.",
		Rivals: []string{"Logs of tries that did run were lost."},
		Do: []Remedy{
			{
				Say:    "Look up the cause that the tries share.",
				Run:    "lastwords explain NAME",
				Safety: "inspect",
			},
			{
				Say:    "Once it is mended, clear the task instance.",
				Run:    "curl -sn -X POST \"$AIRFLOW_API/dags/{dag}/clearTaskInstances\" -H 'Content-Type: application/json' -d '{\"dry_run\": false, \"dag_run_id\": \"{run}\", \"task_ids\": [\"{task}\"]}'",
				Safety: "mutating",
			},
		},
	},
	{
		Name:   "retries-wasted",
		Kind:   "finding",
		Means:  "After two tries had shown the same death or the same error, Airflow went on to retry. Those later tries could not have helped.",
		Proven: "A finding of the same point or the same error already held, and at least one more try followed it.",
		Rivals: []string{
			"Somebody changed code, data or limits in between, and the later try was a test of that.",
		},
		Do: []Remedy{
			{
				Say:    "See what the later tries cost.",
				Run:    "lastwords timeline LOGS",
				Safety: "inspect",
			},
			{
				Say:    "Lower `retries` for this task, or raise AirflowFailException where no retry can help.",
				Safety: "low-risk",
			},
		},
	},
	{
		Name:   "co-death",
		Kind:   "finding",
		Means:  "Several tries died on the same host, or in the same pod, at the same moment. One event killed them all; look for it once, not once for each task.",
		Proven: "Equal host, pod or node and deaths within the same minute; proven where one record of that host names the event.",
		Rivals: []string{
			"A scheduler that notices many old deaths in one cycle makes them look simultaneous; compare the last signs of life.",
		},
		Do: []Remedy{
			{
				Say:    "Look at the node's events of that minute.",
				Run:    "kubectl get events -A --field-selector involvedObject.name={node} --sort-by=.lastTimestamp",
				Safety: "inspect",
			},
			{
				Say:    "Ask the host's kernel.",
				Run:    "journalctl -k --no-pager | grep -iE 'out of memory|oom-kill|killed process'",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "evicted-then-consequence",
		Kind:   "finding",
		Means:  "One try was evicted or its node was taken away, and later failures of the task instance followed from that, such as a lock that was left behind or data written by half.",
		Proven: "A pod or node record proves the first death; the later error names something that the first try left.",
		Rivals: []string{"same-error"},
		Do: []Remedy{
			{
				Say:    "Keep the task's pods off nodes that may be taken away, or make the task start from a clean place.",
				Safety: "low-risk",
			},
			{
				Say:    "Clear away what the first try left, then retry once.",
				Safety: "mutating",
			},
		},
	},
	{
		Name:   "record-disagrees",
		Kind:   "finding",
		Means:  "Two records of the same try contradict each other, for example a success in the log and failed in the database, or a worker's verdict that the server never stored.",
		Proven: "Both records name the same try; each stands in the row's evidence.",
		Rivals: []string{"One record belongs to another try with the same ids, for example before a clear."},
		Do: []Remedy{
			{
				Say:    "Ask for the state that Airflow now shows.",
				Run:    "airflow tasks states-for-dag-run {dag} {run}",
				Safety: "inspect",
			},
			{
				Say:    "Check the task's output, which decides whether the work was done.",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "orphan-adopted",
		Kind:   "finding",
		Means:  "The scheduler that had started the try was gone, and another one took it over. The try usually goes on unharmed.",
		Proven: "`Adopted the following N tasks from a dead executor` or the adoption of its pod, in a scheduler's log.",
		Rivals: []string{"orphan-reset"},
		Do: []Remedy{
			{
				Say:    "See why the first scheduler went away.",
				Run:    "airflow jobs check --job-type SchedulerJob --allow-multiple --limit 10",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "cleared-while-running",
		Kind:   "finding",
		Means:  "Somebody cleared the task instance while one of its tries still ran. That try was stopped for it, or ran on beside its successor.",
		Proven: "A clear in the audit log, or a state set to restarting (or none), within the life of the try.",
		Rivals: []string{"false-zombie"},
		Do: []Remedy{
			{
				Say:    "Ask the audit log who cleared it.",
				Run:    "curl -snG \"$AIRFLOW_API/eventLogs\" --data-urlencode dag_id={dag} --data-urlencode task_id={task}",
				Safety: "inspect",
			},
			{
				Say:    "Check for work that was done twice or by half.",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "scheduler-died",
		Kind:   "finding",
		Means:  "A scheduler stopped while these tries ran or waited. Deaths are then noticed late, retries start late, and with the LocalExecutor the tries may die with it.",
		Proven: "`Marked N SchedulerJob instances as failed` in another scheduler's log, or a log that stops and starts anew.",
		Rivals: []string{"scheduler-paused"},
		Do: []Remedy{
			{
				Say:    "See which schedulers live.",
				Run:    "airflow jobs check --job-type SchedulerJob --allow-multiple --limit 10",
				Safety: "inspect",
			},
			{
				Say:    "Look at the pod's last death.",
				Run:    "kubectl get pods -l component=scheduler -o wide",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "scheduler-paused",
		Kind:   "finding",
		Means:  "The scheduler lived but did nothing for a while, for example because its database was slow or its CPU was starved. Everything that it should have noticed in that time was noticed late.",
		Proven: "A gap in a scheduler's log that is far longer than its loop, with the same process before and after.",
		Rivals: []string{"A part of the log is missing, or was rotated away.", "scheduler-died"},
		Do: []Remedy{
			{
				Say:    "Look at the database's and the scheduler's load in that gap.",
				Run:    "airflow db check",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "triggerer-died",
		Kind:   "finding",
		Means:  "The triggerer stopped while tries were deferred to it. They wait until another triggerer takes their triggers over; they do not fail by it alone.",
		Proven: "`Trigger runner thread has died! Exiting.` (2.6 and later), its process form in 3.x, or a triggerer log that ends.",
		Rivals: []string{"A trigger that blocks the event loop makes the triggerer look dead."},
		Do: []Remedy{
			{
				Say:    "See which triggerers live.",
				Run:    "airflow jobs check --job-type TriggererJob --allow-multiple --limit 10",
				Safety: "inspect",
			},
			{
				Say:    "Run two triggerers, so that one can take over.",
				Safety: "mutating",
			},
		},
	},
	{
		Name:   "deferred-context-lost",
		Kind:   "finding",
		Means:  "After a deferral the try came back without what it had known before, or its earlier segment is missing. The log shows only the second half of the work.",
		Proven: "A segment that resumes after a deferral, and no segment at hand that deferred.",
		Rivals: []string{"The earlier segment lies on another worker, or was overwritten by an upload."},
		Do: []Remedy{
			{
				Say:    "Gather the logs of all workers of this try, and the trigger's log.",
				Run:    "ls {log}*",
				Safety: "inspect",
			},
		},
	},
	{
		Name:   "heartbeat-gaps",
		Kind:   "finding",
		Means:  "The try's heartbeats stopped for a while and came back. The host was starved or frozen, or the database or API server was out of reach; a longer gap would have cost the try.",
		Proven: "`Heartbeat recovered after … seconds` (2.10 and later), failed heartbeats in the worker's log, or late heartbeats in the database.",
		Rivals: []string{"A clock that was set in between."},
		Do: []Remedy{
			{
				Say:    "See how much room is left to the limit (3.x name; 2.x has scheduler_zombie_task_threshold).",
				Run:    "airflow config get-value scheduler task_instance_heartbeat_timeout",
				Safety: "inspect",
			},
			{
				Say:    "Look at CPU and memory of the worker in the gap.",
				Run:    "kubectl top pod {pod}",
				Safety: "inspect",
			},
		},
	},
}
