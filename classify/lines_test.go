package classify

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"pgregory.net/rapid"
)

// sampleInput is an input of one format and the lines that must come out of it, as `no stream|text`.
type sampleInput struct {
	name   string
	from   string // where the shape was seen
	format string
	in     string
	want   []string
}

// sampleInputs are real in shape; values are invented.
func sampleInputs() []sampleInput {
	return []sampleInput{
		{
			"airflow 2 text", "2.8.4 attempt=1.log", "plain",
			"[2023-04-22T10:00:00.504+0000] {taskinstance.py:1103} INFO - a\r\n  b\n\n[2023-04-22T10:00:01.504+0000] {x.py:1} INFO - c",
			[]string{"1 |[2023-04-22T10:00:00.504+0000] {taskinstance.py:1103} INFO - a", "2 |  b", "3 |", "4 |[2023-04-22T10:00:01.504+0000] {x.py:1} INFO - c"},
		},
		{
			"airflow 3 records", "3.1.8 attempt=1.log", "plain",
			`{"timestamp":"2026-02-06T09:37:41.890482Z","level":"info","event":"DAG bundles loaded: dags-folder","logger":"x"}` + "\n" +
				`{"timestamp":null,"event":"::endgroup::"}` + "\n",
			[]string{`1 |{"timestamp":"2026-02-06T09:37:41.890482Z","level":"info","event":"DAG bundles loaded: dags-folder","logger":"x"}`, `2 |{"timestamp":null,"event":"::endgroup::"}`},
		},
		{
			"airflow 2 records", "issue #14950", "plain",
			`{"message": "Executing", "levelname": "INFO", "asctime": "2021-03-23 09:54:29,611", "dag_id": "d"}` + "\n",
			[]string{`1 |{"message": "Executing", "levelname": "INFO", "asctime": "2021-03-23 09:54:29,611", "dag_id": "d"}`},
		},
		{
			"airflow 3 console", "issue #58441, half-stripped colour, uvicorn between", "plain",
			"2025-11-21T18:03:00.101010Z [info     [] Task received [celery.worker.strategy] loc=strategy.py:161\n" +
				"INFO:     198.51.100.54:40460 - \"GET /log HTTP/1.1\" 200 OK\n" +
				"2025-11-21T18:09:01.229047Z [warning  ] Server error                   [airflow.sdk.api.client]\n",
			[]string{"1 |2025-11-21T18:03:00.101010Z [info     [] Task received [celery.worker.strategy] loc=strategy.py:161",
				"2 |INFO:     198.51.100.54:40460 - \"GET /log HTTP/1.1\" 200 OK",
				"3 |2025-11-21T18:09:01.229047Z [warning  ] Server error                   [airflow.sdk.api.client]"},
		},
		{
			"airflow 3 console after others", "a uvicorn line first", "plain",
			"INFO:     Started server process [7]\n2025-11-21T18:03:00.101010Z [info     ] a [b] c=d\n" +
				"\x1b[2m2025-11-21T18:03:00.101010Z\x1b[0m [\x1b[32m\x1b[1minfo     \x1b[0m] \x1b[1mb\x1b[0m\n",
			[]string{"1 |INFO:     Started server process [7]", "2 |2025-11-21T18:03:00.101010Z [info     ] a [b] c=d",
				"3 |\x1b[2m2025-11-21T18:03:00.101010Z\x1b[0m [\x1b[32m\x1b[1minfo     \x1b[0m] \x1b[1mb\x1b[0m"},
		},
		{
			"celery worker", "2.10 Celery W", "plain",
			" -------------- celery@w1 v5.3.6 (emerald-rush)\n[2026-11-30 18:06:26,358: ERROR/ForkPoolWorker-6] x\n",
			[]string{"1 | -------------- celery@w1 v5.3.6 (emerald-rush)", "2 |[2026-11-30 18:06:26,358: ERROR/ForkPoolWorker-6] x"},
		},
		{
			"log_format with an ISO stamp", "issue #3, custom log_format", "plain",
			"2024-02-15T17:47:55.619+0000 INFO - a\n2024-02-15T17:47:56.619+0000 {b.py:1} INFO - b\n",
			[]string{"1 |2024-02-15T17:47:55.619+0000 INFO - a", "2 |2024-02-15T17:47:56.619+0000 {b.py:1} INFO - b"},
		},
		{
			"copy from the web UI", "2.10.5 text/plain answer", "plain",
			"vm\n INFO - ::group::Log message source details\n*** Found local files:\n***   * /opt/x.log\n[2024-03-13, 15:19:53 UTC] {taskinstance.py:1776} ERROR - x\n",
			[]string{"1 |vm", "2 | INFO - ::group::Log message source details", "3 |*** Found local files:", "4 |***   * /opt/x.log", "5 |[2024-03-13, 15:19:53 UTC] {taskinstance.py:1776} ERROR - x"},
		},
		{
			"kubectl --timestamps", "case 041, issue #37382", "timestamps",
			"2024-02-15T17:47:31.204118902+01:00 [2024-02-15 16:47:31,203: INFO/ForkPoolWorker-15] Running\n" +
				"2024-02-15T17:47:55.619615643+01:00     result = conn._execute_20(statement)\n" +
				"2024-02-15T17:47:55.619703300+01:00 \tThis probably means\n" +
				"2024-02-15T17:47:55.619703300+01:00 \n2024-02-15T17:47:55.619703300+01:00\nodd\n",
			[]string{"1 |[2024-02-15 16:47:31,203: INFO/ForkPoolWorker-15] Running", "2 |    result = conn._execute_20(statement)",
				"3 |\tThis probably means", "4 |", "5 |", "6 |odd"},
		},
		{
			"kubectl --timestamps of an airflow 3 console", "kubectl logs --timestamps", "timestamps",
			"2025-11-21T18:03:00.101500001Z 2025-11-21T18:03:00.101010Z [info     ] a [b]\n2025-11-21T18:03:00.101500009Z 2025-11-21T18:03:00.101210Z [info     ] b [b]\n",
			[]string{"1 |2025-11-21T18:03:00.101010Z [info     ] a [b]", "2 |2025-11-21T18:03:00.101210Z [info     ] b [b]"},
		},
		{
			"kubectl --prefix --timestamps", "kubectl/pkg/cmd/logs", "kubectl-prefix",
			"[pod/w-0/worker] 2024-02-15T17:47:31.204118902Z [2024-02-15T17:47:31.204+0000] {a.py:1} INFO - x\n" +
				"[pod/w-1/worker] 2024-02-15T17:47:31.204118909Z   y\n",
			[]string{"1 w-0/worker|[2024-02-15T17:47:31.204+0000] {a.py:1} INFO - x", "2 w-1/worker|  y"},
		},
		{
			"docker compose", "case 061, issue #10790", "docker-compose",
			"airflow-worker-1     | [2024-02-14T09:00:19.440+0000] {copy.py:14} INFO - 3/40 cop\n" +
				"airflow-worker-1 exited with code 137\n" +
				"airflow-worker-2     | \nairflow-worker-2     |\nairflow-worker-2     |   in x | y\n",
			[]string{"1 airflow-worker-1|[2024-02-14T09:00:19.440+0000] {copy.py:14} INFO - 3/40 cop",
				"2 airflow-worker-1|airflow-worker-1 exited with code 137", "3 airflow-worker-2|", "4 airflow-worker-2|", "5 airflow-worker-2|  in x | y"},
		},
		{
			"docker compose -t, coloured", "docker/compose cmd/formatter/logs.go", "docker-compose",
			"\x1b[36mw-1  | \x1b[0m2024-02-14T09:00:19.440000000Z [2024-02-14T09:00:19.440+0000] {copy.py:14} INFO - a\n" +
				"\x1b[33ms-1  | \x1b[0m2024-02-14T09:00:20.440000000Z \x1b[34mb\x1b[0m\n\r\x1b[Kw-1 exited with code 137\n",
			[]string{"1 w-1|[2024-02-14T09:00:19.440+0000] {copy.py:14} INFO - a", "2 s-1|\x1b[34mb\x1b[0m", "3 w-1|\r\x1b[Kw-1 exited with code 137"},
		},
		{
			"stern", "case 062, issue #27657", "stern",
			"merlin-worker-3 worker 2023-01-26T13:28:12.001Z worker: Warm shutdown (MainProcess)\n" +
				"merlin-scheduler-0 scheduler 2023-01-26T13:29:53.745Z \t<TaskInstance: a.b c [running]> in state STARTED\n",
			[]string{"1 merlin-worker-3/worker|worker: Warm shutdown (MainProcess)", "2 merlin-scheduler-0/scheduler|\t<TaskInstance: a.b c [running]> in state STARTED"},
		},
		{
			"stern, coloured, all namespaces", "stern cmd/cmd.go", "stern",
			"\x1b[38;5;2mairflow\x1b[0m \x1b[36mw-0\x1b[0m \x1b[36;1mworker\x1b[0m [2023-01-26T13:28:12.001+0000] {a.py:1} INFO - x\n" +
				"\x1b[38;5;2mairflow\x1b[0m \x1b[36mw-0\x1b[0m \x1b[36;1mworker\x1b[0m   y\n",
			[]string{"1 w-0/worker|[2023-01-26T13:28:12.001+0000] {a.py:1} INFO - x", "2 w-0/worker|  y"},
		},
		{
			"stern -o json", "stern README", "stern",
			`{"message":"[2023-01-26T13:28:12.001+0000] {a.py:1} INFO - x","nodeName":"n1","namespace":"airflow","podName":"w-0","containerName":"worker"}` + "\n",
			[]string{"1 w-0/worker|[2023-01-26T13:28:12.001+0000] {a.py:1} INFO - x"},
		},
		{
			"kail", "boz/kail", "kail",
			"airflow/w-0[worker]: [2023-01-26T13:28:12.001+0000] {a.py:1} INFO - x\nairflow/w-0[worker]:   y\n",
			[]string{"1 w-0/worker|[2023-01-26T13:28:12.001+0000] {a.py:1} INFO - x", "2 w-0/worker|  y"},
		},
		{
			"CRI", "kubernetes design-proposals kubelet-cri-logging.md", "cri",
			"2024-02-15T17:47:55.619615643Z stdout P [2024-02-15T17:47:55.619+0000] {a.py:1} IN\n" +
				"2024-02-15T17:47:55.619615644Z stderr F other\n" +
				"2024-02-15T17:47:55.619615645Z stdout F FO - x\n2024-02-15T17:47:55.619615646Z stdout F   y\n2024-02-15T17:47:55.619615647Z stdout F\n" +
				"2024-02-15T17:47:55.619615648Z stdout P cut",
			[]string{"2 |other", "1 |[2024-02-15T17:47:55.619+0000] {a.py:1} INFO - x", "4 |  y", "5 |", "6 |cut"},
		},
		{
			"docker json-file", "docker json-file driver", "docker-json",
			`{"log":"[2024-02-15T17:47:55.619+0000] {a.py:1} IN","stream":"stdout","time":"2024-02-15T17:47:55.619615643Z"}` + "\n" +
				`{"log":"FO - \u00e4 \ud83d\ude00 \"x\"\n","stream":"stdout","time":"2024-02-15T17:47:55.619615644Z"}` + "\n" +
				`{"log":"\r\n","stream":"stderr","time":"2024-02-15T17:47:55.619615645Z"}` + "\n",
			[]string{"1 |[2024-02-15T17:47:55.619+0000] {a.py:1} INFO - ä 😀 \"x\"", "3 |"},
		},
		{
			"journalctl", "systemd logs-show.c", "syslog",
			"Nov 30 18:06:26 w1 airflow[4711]: [2026-11-30 18:06:26,358: ERROR/ForkPoolWorker-6] x\n" +
				"                                  further\n" +
				"Nov 30 18:06:27 w1 airflow[4711]:   y\n",
			[]string{"1 w1/airflow[4711]|[2026-11-30 18:06:26,358: ERROR/ForkPoolWorker-6] x", "2 w1/airflow[4711]|further", "3 w1/airflow[4711]|  y"},
		},
		{
			"journalctl -o short-iso", "systemd logs-show.c", "syslog",
			"-- Logs begin at Mon 2024-02-12 10:00:00 UTC. --\n2024-02-15T17:47:55+0000 w1 airflow[4711]: a\n2024-02-15T17:47:56+0000 w1 airflow[4711]: b\n",
			[]string{"1 |-- Logs begin at Mon 2024-02-12 10:00:00 UTC. --", "2 w1/airflow[4711]|a", "3 w1/airflow[4711]|b"},
		},
		{
			"syslog with octal escapes", "rsyslog default", "syslog",
			"<14>Nov 30 18:06:26 w1 airflow[4711]: Traceback (most recent call last):#012  File \"a.py\"#012#011x\n",
			[]string{"1 w1/airflow[4711]|Traceback (most recent call last):", "1 w1/airflow[4711]|  File \"a.py\"", "1 w1/airflow[4711]|\tx"},
		},
		{
			"syslog RFC 5424", "RFC 5424 §6.5", "syslog",
			"<165>1 2024-02-15T17:47:55.003Z w1 airflow 8710 - [x@32473 a=\"]\" b=\"2\"] \xef\xbb\xbf[2024-02-15T17:47:55.003+0000] {a.py:1} INFO - x\n" +
				"<165>1 2024-02-15T17:47:55.003Z w1 airflow 8710 - - y\n",
			[]string{"1 w1/airflow|[2024-02-15T17:47:55.003+0000] {a.py:1} INFO - x", "2 w1/airflow|y"},
		},
		{
			"journalctl -o json", "systemd Journal JSON format", "journald-json",
			`{"__REALTIME_TIMESTAMP":"1713678421000000","_HOSTNAME":"w1","SYSLOG_IDENTIFIER":"airflow","_SYSTEMD_UNIT":"airflow-worker.service","MESSAGE":"[2024-04-21 05:47:01,000: INFO/MainProcess] x"}` + "\n" +
				`{"__REALTIME_TIMESTAMP":"1713678422000000","_HOSTNAME":"w1","_SYSTEMD_UNIT":"airflow-worker.service","MESSAGE":[104,195,40,10,105]}` + "\n" +
				`{"__REALTIME_TIMESTAMP":"1713678423000000","_HOSTNAME":"w1","MESSAGE":null}` + "\n",
			[]string{"1 w1/airflow-worker.service|[2024-04-21 05:47:01,000: INFO/MainProcess] x", "2 w1/airflow-worker.service|h\xc3(", "2 w1/airflow-worker.service|i"},
		},
		{
			"aws logs tail", "aws-cli customizations/logs/tail.py", "aws-logs-tail",
			"2024-02-15T17:47:55.619000+00:00 dag_id=etl/run_id=manual__2024-02-15T17_00_00+00_00/task_id=load/attempt=1.log [2024-02-15, 17:47:55 UTC] {a.py:1} INFO - x\n" +
				"2024-02-15T17:47:56+00:00 dag_id=etl/run_id=manual__2024-02-15T17_00_00+00_00/task_id=load/attempt=1.log   y\n",
			[]string{"1 dag_id=etl/run_id=manual__2024-02-15T17_00_00+00_00/task_id=load/attempt=1.log|[2024-02-15, 17:47:55 UTC] {a.py:1} INFO - x",
				"2 dag_id=etl/run_id=manual__2024-02-15T17_00_00+00_00/task_id=load/attempt=1.log|  y"},
		},
		{
			"logcli", "grafana/loki pkg/logcli/output", "logcli",
			"2024-02-15T17:47:55Z {pod=\"w-0\"}             [2024-02-15T17:47:55.003+0000] {a.py:1} INFO - x\n2024-02-15T17:47:56Z {pod=\"w}1\", app=\"a\"} y\n",
			[]string{"1 {pod=\"w-0\"}|[2024-02-15T17:47:55.003+0000] {a.py:1} INFO - x", "2 {pod=\"w}1\", app=\"a\"}|y"},
		},
		{
			"Grafana TXT, newest first", "grafana inspector/utils/download.ts", "grafana-txt",
			"Total bytes processed: \"1.2 GB\"\n\n\n1707990476619\t2024-02-15T09:47:56.619Z\tb\n  b2\n1707990475619\t2024-02-15T09:47:55.619Z\ta\n1707990475618\t2024-02-15T09:47:55.618Z\t  z\n",
			[]string{"7 |  z", "6 |a", "4 |b", "5 |  b2", "1 |Total bytes processed: \"1.2 GB\"", "2 |", "3 |"},
		},
		{
			"Fluentd file", "fluentd out_file", "fluentd",
			"2024-02-15T17:47:55+00:00\tkube.airflow\t{\"log\":\"a\\n\",\"stream\":\"stdout\",\"kubernetes\":{\"pod_name\":\"w-0\"}}\n",
			[]string{"1 kube.airflow/w-0|a"},
		},
		{
			"Fluent Bit", "fluent-bit kubernetes filter", "json-lines",
			`{"date":1707990475.619615,"log":"[2024-02-15T17:47:55.619+0000] {a.py:1} INFO - x\n","stream":"stdout","kubernetes":{"pod_name":"d-t-1","namespace_name":"airflow","container_name":"base","labels":{"dag_id":"d","run_id":"manual__2024-0123abcde"},"annotations":{"dag_id":"d","task_id":"g.t","run_id":"manual__2024-02-15T17:00:00+00:00","try_number":"2"}}}` + "\n",
			[]string{"1 d/g.t/manual__2024-02-15T17:00:00+00:00/2/d-t-1/base|[2024-02-15T17:47:55.619+0000] {a.py:1} INFO - x"},
		},
		{
			"Fluent Bit with Merge_Log", "fluent-bit kubernetes filter", "json-lines",
			`{"timestamp":"2026-02-06T09:37:41.890482Z","level":"info","event":"x","kubernetes":{"pod_name":"w-0","container_name":"worker"}}` + "\n",
			[]string{`1 w-0/worker|{"timestamp":"2026-02-06T09:37:41.890482Z","level":"info","event":"x","kubernetes":{"pod_name":"w-0","container_name":"worker"}}`},
		},
		{
			"Vector", "vector kubernetes_logs", "json-lines",
			`{"file":"/var/log/pods/a_w-0_1/worker/0.log","kubernetes":{"container_name":"worker","pod_name":"w-0","pod_namespace":"airflow"},"message":"{\"timestamp\":\"2026-02-06T09:37:41.890482Z\",\"level\":\"info\",\"event\":\"x\"}","source_type":"kubernetes_logs","stream":"stdout","timestamp":"2026-02-06T09:37:41.9Z"}` + "\n",
			[]string{`1 w-0/worker|{"timestamp":"2026-02-06T09:37:41.890482Z","level":"info","event":"x"}`},
		},
		{
			"Filebeat", "filebeat 8", "json-lines",
			`{"@timestamp":"2024-02-15T17:47:55.619Z","log":{"offset":12},"message":"2024-02-15T17:47:55.619615643Z stdout F x","kubernetes":{"pod":{"name":"w-0"},"container":{"name":"worker"},"namespace":"airflow"},"host":{"name":"n1"}}` + "\n",
			[]string{"1 w-0/worker|x"},
		},
		{
			"CloudWatch filter-log-events", "aws logs filter-log-events", "cloudwatch-json",
			"{\n  \"events\": [\n    {\n      \"logStreamName\": \"dag_id=d/attempt=1.log\",\n      \"timestamp\": 1707990475619,\n      \"message\": \"[2024-02-15, 09:47:55 UTC] {a.py:1} INFO - x\\nTraceback\",\n      \"ingestionTime\": 1707990475700,\n      \"eventId\": \"1\"\n    }\n  ],\n  \"searchedLogStreams\": []\n}\n",
			[]string{"6 dag_id=d/attempt=1.log|[2024-02-15, 09:47:55 UTC] {a.py:1} INFO - x", "6 dag_id=d/attempt=1.log|Traceback"},
		},
		{
			"CloudWatch get-query-results, newest first", "aws logs get-query-results", "cloudwatch-json",
			"{\"results\": [\n[{\"field\":\"@timestamp\",\"value\":\"2024-02-15 17:47:56.619\"},{\"field\":\"@message\",\"value\":\"b\"}],\n[{\"field\":\"@timestamp\",\"value\":\"2024-02-15 17:47:55.619\"},{\"field\":\"@message\",\"value\":\"a\"},{\"field\":\"@ptr\",\"value\":\"Cm\"}]],\"statistics\":{},\"status\":\"Complete\"}",
			[]string{"3 |a", "2 |b"},
		},
		{
			"CloudWatch subscription", "Firehose", "cloudwatch-json",
			`{"messageType":"DATA_MESSAGE","owner":"1","logGroup":"g","logStream":"s","subscriptionFilters":[],"logEvents":[{"id":"1","timestamp":1707990475619,"message":"a"},{"id":"2","timestamp":1707990475620,"message":"b"}]}`,
			[]string{"1 s|a", "1 s|b"},
		},
		{
			"CloudWatch Insights CSV", "console export", "csv",
			"@timestamp,@message,@logStream\n2024-02-15 17:47:56.619,\"[2024-02-15, 17:47:56 UTC] {a.py:1} ERROR - b, \"\"q\"\"\nTraceback\",s\n2024-02-15 17:47:55.619,a,s\n",
			[]string{"4 s|a", "2 s|[2024-02-15, 17:47:56 UTC] {a.py:1} ERROR - b, \"q\"", "3 s|Traceback"},
		},
		{
			"watcher CSV", "case 107, issue #17693", "csv",
			"date,name,message\n2021-09-11T01:06:35.083Z,KubernetesJobWatcher,Event: x\n\n2021-09-11T01:06:35.084Z,KubernetesJobWatcher,Event: y, z\n",
			[]string{"2 |Event: x", "4 |Event: y"},
		},
		{
			"Datadog CSV", "Datadog log explorer", "csv",
			"Date,Host,Service,Message\n\"2024-02-15T17:47:55.619Z\",\"h1\",\"airflow\",\"a\"\n",
			[]string{"2 airflow|a"},
		},
		{
			"Cloud Logging", "case 124, gcpdiag composer/WARN/2023_002", "cloud-logging-json",
			"[\n  {\n    \"insertId\": \"a1\",\n    \"labels\": {\"workflow\": \"d\", \"task-id\": \"t\", \"execution-date\": \"2023-06-04T04:00:00+00:00\", \"try-number\": \"1\", \"map-index\": \"3\", \"worker_id\": \"w\", \"process\": \"taskinstance.py:1327\"},\n    \"severity\": \"INFO\",\n    \"textPayload\": \"x\",\n    \"timestamp\": \"2023-06-05T04:00:11.120Z\"\n  }\n]\n",
			[]string{"6 d/t/2023-06-04T04:00:00+00:00/3/1/w|x"},
		},
		{
			"Cloud Logging lines, newest first", "gcloud logging read | jq -c", "cloud-logging-json",
			`{"insertId":"2","jsonPayload":{"event":"b","level":"info","logger":"task"},"resource":{"labels":{"pod_name":"w-0","container_name":"base"}},"timestamp":"2026-06-05T04:00:12Z"}` + "\n" +
				`{"insertId":"1","textPayload":"a","resource":{"labels":{"pod_name":"w-0","container_name":"base"}},"timestamp":"2026-06-05T04:00:11Z"}` + "\n",
			[]string{"2 w-0/base|a", `1 w-0/base|{"event":"b","level":"info","logger":"task"}`},
		},
		{
			"Loki query_range of Airflow's handler", "case 077, airflow-provider-grafana-loki issue 2", "loki-json",
			"{\"status\":\"success\",\"data\":{\"resultType\":\"streams\",\"result\":[{\"stream\":{\"dag_id\":\"d\",\"task_id\":\"t\"},\"values\":[\n[\"1669998566310000001\",\"{\\\"line\\\": \\\"[2022-12-02T21:59:26.205+0530] {a.py:1} INFO - x\\\\n\\\", \\\"run_id\\\": \\\"r\\\", \\\"try_number\\\": 1, \\\"map_index\\\": -1}\"]\n]}],\"stats\":{}}}",
			[]string{"2 d/t/r/1|[2022-12-02T21:59:26.205+0530] {a.py:1} INFO - x"},
		},
		{
			"Loki, newest first, CRI inside", "Loki query_range direction=backward", "loki-json",
			`{"status":"success","data":{"resultType":"streams","result":[{"values":[["1669998566310000002","2024-02-15T17:47:55.619615643Z stdout F b"],["1669998566310000001","2024-02-15T17:47:55.619615642Z stdout F a"]],"stream":{"pod":"w-0"}}]}}`,
			[]string{"1 w-0|a", "1 w-0|b"},
		},
		{
			"logcli jsonl", "logcli -o jsonl", "loki-json",
			`{"labels":{"pod":"w-0"},"line":"a","timestamp":"2024-02-15T17:47:55.619Z"}` + "\n",
			[]string{"1 w-0|a"},
		},
		{
			"Grafana JSON", "grafana logs/utils.ts", "loki-json",
			`[{"line":"b","timestamp":"1707990476619000000","date":"2024-02-15T09:47:56.619Z","fields":{"pod":"w-0"}},{"line":"a","timestamp":"1707990475619000000","date":"2024-02-15T09:47:55.619Z","fields":{"pod":"w-0"}}]`,
			[]string{"1 w-0|a", "1 w-0|b"},
		},
		{
			"Elasticsearch answer", "_search of Airflow's index", "elasticsearch-json",
			"{\"took\":1,\"hits\":{\"total\":{\"value\":1},\"hits\":[\n{\"_index\":\"airflow\",\"_source\":{\n \"asctime\": \"2021-03-23 09:54:29,611\",\n \"levelname\": \"INFO\",\n \"message\": \"a b\",\n \"dag_id\": \"d\", \"task_id\": \"t\", \"try_number\": \"1\"}}]}}",
			[]string{`5 d/t/1|{"asctime":"2021-03-23 09:54:29,611","levelname":"INFO","message":"a b","dag_id":"d","task_id":"t","try_number":"1"}`},
		},
		{
			"Elasticsearch answer out of order", "_search without sort, offset by Airflow's handler", "elasticsearch-json",
			`{"hits":{"hits":[{"_source":{"asctime":"2021-03-23 09:54:29,612","levelname":"INFO","message":"b","offset":1616486069612250688}},` + "\n" +
				`{"_source":{"asctime":"2021-03-23 09:54:29,611","levelname":"INFO","message":"a","offset":1616486069531250688}},` + "\n" +
				`{"_source":{"asctime":"2021-03-23 09:54:29,613","levelname":"INFO","message":"c","offset":1616486069631250688}}]}}`,
			[]string{`2 |{"asctime":"2021-03-23 09:54:29,611","levelname":"INFO","message":"a","offset":1616486069531250688}`,
				`1 |{"asctime":"2021-03-23 09:54:29,612","levelname":"INFO","message":"b","offset":1616486069612250688}`,
				`3 |{"asctime":"2021-03-23 09:54:29,613","levelname":"INFO","message":"c","offset":1616486069631250688}`},
		},
		{
			"Loki, one pod in two streams", "Loki with a label for stdout and stderr", "loki-json",
			`{"status":"success","data":{"resultType":"streams","result":[{"stream":{"pod":"w-0","stream":"stdout"},"values":[["1669998566310000001","a"],["1669998566310000003","c"]]},{"stream":{"pod":"w-0","stream":"stderr"},"values":[["1669998566310000002","b"]]}]}}`,
			[]string{"1 w-0|a", "1 w-0|b", "1 w-0|c"},
		},
		{
			"elasticdump", "elasticdump", "elasticsearch-json",
			`{"_index":"airflow","_id":"1","_source":{"asctime":"2021-03-23 09:54:29,611","levelname":"INFO","message":"a"}}` + "\n",
			[]string{`1 |{"asctime":"2021-03-23 09:54:29,611","levelname":"INFO","message":"a"}`},
		},
		{
			"Datadog API", "Datadog v2 logs/events/search", "datadog-json",
			`{"data":[{"id":"1","type":"log","attributes":{"message":"a","timestamp":"2024-02-15T17:47:55.619Z","host":"h","service":"airflow","status":"info"}}],"meta":{}}`,
			[]string{"1 h/airflow|a"},
		},
		{
			"Splunk JSON", "Splunk search export", "splunk-json",
			`{"preview":false,"offset":0,"result":{"_raw":"[2024-02-15T17:47:55.619+0000] {a.py:1} INFO - x","_time":"2024-02-15T17:47:55.619+00:00","host":"h"}}` + "\n",
			[]string{"1 h|[2024-02-15T17:47:55.619+0000] {a.py:1} INFO - x"},
		},
		{
			"REST, Python literal in a string", "2.10.5 …/logs/1", "rest-json",
			"{\n  \"content\": \"[('vm', \\\" INFO - ::group::x\\\\n[2026-11-30T17:51:25.388+0000] {a.py:1} INFO - it's\\\\n\\\"), ('', 'b')]\",\n  \"continuation_token\": \"e\"\n}\n",
			[]string{"2 vm| INFO - ::group::x", "2 vm|[2026-11-30T17:51:25.388+0000] {a.py:1} INFO - it's", "2 |b"},
		},
		{
			"REST, records", "3.1.8 …/logs/1", "rest-json",
			`{"content":[{"event":"::group::x","sources":["/a b"]},{"timestamp":"2026-11-30T17:55:18.048909Z","event":"y","level":"info"}],"continuation_token":null}`,
			[]string{`1 |{"event":"::group::x","sources":["/a b"]}`, `1 |{"timestamp":"2026-11-30T17:55:18.048909Z","event":"y","level":"info"}`},
		},
		{
			"REST, records, jq .", "3.1.8 …/logs/1 | jq .", "rest-json",
			"{\n  \"content\": [\n    {\n      \"timestamp\": \"2026-11-30T17:55:18.048909Z\",\n      \"event\": \"y\",\n      \"level\": \"info\"\n    }\n  ],\n  \"continuation_token\": null\n}",
			[]string{`5 |{"timestamp":"2026-11-30T17:55:18.048909Z","event":"y","level":"info"}`},
		},
		{
			"REST, pairs", "2.x client", "rest-json",
			`{"continuation_token":"e","content":[["vm","*** x\n[2026-11-30T17:51:25.388+0000] {a.py:1} INFO - y\n"]]}`,
			[]string{"1 vm|*** x", "1 vm|[2026-11-30T17:51:25.388+0000] {a.py:1} INFO - y"},
		},
		{
			"REST, bare literal", "2.x python client's str()", "rest-json",
			`[('vm', '*** x\n[2026-11-30T17:51:25.388+0000] {a.py:1} INFO - \xe4\u20ac\n')]`,
			[]string{"1 vm|*** x", "1 vm|[2026-11-30T17:51:25.388+0000] {a.py:1} INFO - ä€"},
		},
		{
			"REST refusal", "3.1.8 with Accept: text/plain", "plain",
			`{"detail":"Only application/json or application/x-ndjson is supported"}`,
			[]string{`1 |{"detail":"Only application/json or application/x-ndjson is supported"}`},
		},
		{"task instances", "3.1.8 …/taskInstances", "unknown-json", `{"task_instances":[{"id":"1","task_id":"t"}],"total_entries":1}`, nil},
		{"version", "3.1.8 /version", "unknown-json", "{\n \"version\":\"3.1.8\"\n}\n", nil},
		{"pod", "kubectl get pod -o json", "kubernetes", "{\n    \"apiVersion\": \"v1\",\n    \"kind\": \"Pod\"\n}\n", nil},
		{"pods", "kubectl get pods -o yaml", "kubernetes", "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n", nil},
		{
			"Kubernetes events in Cloud Logging", "case 242", "kubernetes",
			`[{"insertId":"a","jsonPayload":{"apiVersion":"v1","kind":"Event","involvedObject":{"kind":"Node"},"message":"Shutdown"},"logName":"events","timestamp":"2024-04-18T12:31:13Z"}]`, nil,
		},
		{
			"own lines of somebody's JSON", "a log_format of one's own", "plain",
			`{"foo":1}` + "\n" + `{"foo":2}` + "\n",
			[]string{`1 |{"foo":1}`, `2 |{"foo":2}`},
		},
		{
			"a cut record", "a worker that died while it wrote", "plain",
			`{"timestamp":"2026-02-06T09:37:41.890482Z","level":"info","eve` + "\n" + `{"timestamp":"2026-02-06T09:37:41.890482Z","level":"info","event":"x"}` + "\n",
			[]string{`1 |{"timestamp":"2026-02-06T09:37:41.890482Z","level":"info","eve`, `2 |{"timestamp":"2026-02-06T09:37:41.890482Z","level":"info","event":"x"}`},
		},
	}
}

// drain reads all lines of r; texts are copied.
func drain(head []byte, r io.Reader) (*Lines, []Line, error) {
	l := NewLines(head, r)
	var lines []Line
	for {
		line, err := l.Next()
		if err != nil {
			return l, lines, err
		}
		line.Text = bytes.Clone(line.Text)
		lines = append(lines, line)
	}
}

// all spells everything that lines say.
func all(lines []Line) string {
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "%d@%d %s %q %q %q %s %v %v|%q\n", l.No, l.Offset, l.At, l.Stream, l.Origin, l.Level, spellLabels(l.Labels), l.Cut, l.tail, l.Text)
	}
	return b.String()
}

func spell(lines []Line) []string {
	var out []string
	for _, l := range lines {
		out = append(out, fmt.Sprintf("%d %s|%s", l.No, l.Stream, l.Text))
	}
	return out
}

func TestLines(t *testing.T) {
	for _, c := range sampleInputs() {
		t.Run(c.name, func(t *testing.T) {
			l, lines, err := drain([]byte(c.in), strings.NewReader(c.in))
			if !errors.Is(err, io.EOF) {
				t.Errorf("error %v", err)
			}
			if l.Format() != c.format {
				t.Errorf("format %s, want %s", l.Format(), c.format)
			}
			if got, want := strings.Join(spell(lines), "\n"), strings.Join(c.want, "\n"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			for _, line := range lines {
				if want := physicalOffset(c.in, line.No); line.Offset < want || line.Offset > want+int64(len(c.in)) {
					t.Errorf("line %d at %d, its physical line begins at %d", line.No, line.Offset, want)
				}
			}
		})
	}
}

func physicalOffset(in string, no int64) int64 {
	at := int64(0)
	for ; no > 1; no-- {
		at += int64(strings.IndexByte(in[at:], '\n') + 1)
	}
	return at
}

// What is plain in SniffFormat must be plain in NewLines, and the other way round.
func TestSniffFormat(t *testing.T) {
	for _, c := range sampleInputs() {
		format, plain := SniffFormat([]byte(c.in))
		if want := c.format == "plain"; plain != want || c.format != "kubernetes" && format != c.format {
			t.Errorf("%s: SniffFormat = %s, %v; want %s", c.name, format, plain, c.format)
		}
	}
	for _, c := range sampleInputs() {
		if c.format == "plain" {
			if _, plain := SniffFormat([]byte("\xef\xbb\xbf" + c.in)); plain {
				t.Errorf("%s: plain behind a byte order mark, which has to be taken away", c.name)
			}
		}
	}
}

// Any way of reading the input gives the same lines.
func TestLinesSplit(t *testing.T) {
	for _, c := range sampleInputs() {
		_, want, _ := drain([]byte(c.in), strings.NewReader(c.in))
		for name, r := range map[string]io.Reader{
			"one byte":    iotest.OneByteReader(strings.NewReader(c.in)),
			"half":        iotest.HalfReader(strings.NewReader(c.in)),
			"data errors": iotest.DataErrReader(strings.NewReader(c.in)),
		} {
			if _, got, _ := drain([]byte(c.in), r); all(got) != all(want) {
				t.Errorf("%s, %s: got\n%s\nwant\n%s", c.name, name, all(got), all(want))
			}
		}
		if _, got, _ := drain(nil, iotest.OneByteReader(strings.NewReader(c.in))); all(got) != all(want) {
			t.Errorf("%s without head: got\n%s\nwant\n%s", c.name, all(got), all(want))
		}
	}
}

// randomReads hands out r in pieces of drawn sizes.
type randomReads struct {
	r io.Reader
	t *rapid.T
}

func (r randomReads) Read(b []byte) (int, error) {
	n := rapid.SampledFrom([]int{0, 1, 2, 3, 7, 1 << 10, 70000, 1 << 20}).Draw(r.t, "read")
	return r.r.Read(b[:min(n, len(b))])
}

// The lines of any text in any coding are those that strings.Split finds, with both ends of long ones.
func TestPhysicalLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.Custom(func(t *rapid.T) string {
			s := rapid.SampledFrom([]string{"a", "\r", "ä", "😀", "\x00", "\r\n", "\n", "x\ny", "Ċ", "਀", "line "}).Draw(t, "piece")
			return strings.Repeat(s, rapid.SampledFrom([]int{1, 1, 2, 5, 100, 40000, 140000}).Draw(t, "times"))
		})
		text := strings.Join(rapid.SliceOfN(part, 0, 6).Draw(t, "text"), "")
		code := rapid.SampledFrom([]coding{utf8Text, utf16LE, utf16BE}).Draw(t, "coding")
		in, unit := encode(text, code), 1
		if code != utf8Text {
			unit = 2
		}
		p := newPhysical(randomReads{bytes.NewReader(in), t}, code, 0)
		offset := 0
		want := strings.SplitAfter(text, "\n")
		if want[len(want)-1] == "" {
			want = want[:len(want)-1]
		}
		for no, w := range want {
			var l Line
			if err := p.next(&l); err != nil {
				t.Fatalf("line %d: %v", no+1, err)
			}
			raw := encode(w, code)
			if l.No != int64(no+1) || l.Offset != int64(offset) {
				t.Fatalf("line %d at %d, want %d at %d", l.No, l.Offset, no+1, offset)
			}
			offset += len(raw)
			raw = bytes.TrimSuffix(raw, encode("\n", code))
			cut := len(raw) > capLine
			if cut {
				raw = append(bytes.Clone(raw[:capEnd]), raw[len(raw)-capEnd:]...)
			}
			wantText := trimCR(code.appendUTF8(nil, raw))
			if l.Cut != cut || !bytes.Equal(l.Text, wantText) {
				t.Fatalf("line %d: cut %v, %d bytes; want %v, %d bytes (unit %d)", no+1, l.Cut, len(l.Text), cut, len(wantText), unit)
			}
		}
		var l Line
		if err := p.next(&l); !errors.Is(err, io.EOF) {
			t.Fatalf("%v, %v behind the end", l, err)
		}
	})
}

func encode(s string, c coding) []byte {
	if c == utf8Text {
		return []byte(s)
	}
	var out []byte
	unit := func(u rune) {
		if c == utf16LE {
			out = append(out, byte(u), byte(u>>8))
		} else {
			out = append(out, byte(u>>8), byte(u))
		}
	}
	for _, r := range s {
		if r > 0xffff {
			unit(0xd800 + (r-0x10000)>>10)
			unit(0xdc00 + (r-0x10000)&0x3ff)
			continue
		}
		unit(r)
	}
	return out
}

// Each format is the same behind a byte order mark and in UTF-16, and offsets count the bytes that are there.
func TestLinesCoding(t *testing.T) {
	for _, c := range sampleInputs() {
		_, want, _ := drain([]byte(c.in), strings.NewReader(c.in))
		if !strings.Contains(c.name, "journalctl -o json") { // its second message is no UTF-8
			for name, in := range map[string][]byte{
				"utf-8 mark": []byte("\xef\xbb\xbf" + c.in),
				"utf-16le":   append([]byte("\xff\xfe"), encode(c.in, utf16LE)...),
				"utf-16be":   append([]byte("\xfe\xff"), encode(c.in, utf16BE)...),
				"no mark":    encode(c.in, utf16LE),
			} {
				l, got, _ := drain(in, bytes.NewReader(in))
				if g, w := fmt.Sprint(spell(got)), fmt.Sprint(spell(want)); g != w || l.Format() != c.format {
					t.Errorf("%s, %s: %s %s\nwant %s", c.name, name, l.Format(), g, w)
					continue
				}
				for i := range got {
					o := want[i].Offset
					prefix := []byte(c.in[:o])
					at := int64(len(encode(string(prefix), utf16LE)))
					switch name {
					case "utf-8 mark":
						at = o + 3
					case "utf-16le", "utf-16be":
						at += 2
					}
					if got[i].Offset != at {
						t.Errorf("%s, %s: line %d at %d, want %d", c.name, name, got[i].No, got[i].Offset, at)
					}
				}
			}
		}
	}
}

func TestLinesLabels(t *testing.T) {
	find := func(name string) sampleInput {
		for _, c := range sampleInputs() {
			if c.name == name {
				return c
			}
		}
		t.Fatalf("no sample %s", name)
		return sampleInput{}
	}
	first := func(name string) Line {
		c := find(name)
		_, lines, _ := drain([]byte(c.in), strings.NewReader(c.in))
		return lines[0]
	}
	three, unmapped := 3, -1
	for name, want := range map[string]struct {
		at, origin, level string
		labels            *Labels
		offset            int64
	}{
		"Cloud Logging": {"2023-06-05T04:00:11.12Z", "taskinstance.py", "INFO",
			&Labels{DagID: "d", TaskID: "t", ExecutionDate: "2023-06-04T04:00:00+00:00", Try: 1, MapIndex: &three, Host: "w"}, 238},
		"Loki query_range of Airflow's handler": {"2022-12-02T16:29:26.310000001Z", "", "",
			&Labels{DagID: "d", TaskID: "t", RunID: "r", Try: 1, MapIndex: &unmapped}, 111},
		"Fluent Bit": {"2024-02-15T09:47:55.619615Z", "", "",
			&Labels{DagID: "d", TaskID: "g.t", RunID: "manual__2024-02-15T17:00:00+00:00", Try: 2, Pod: "d-t-1", Namespace: "airflow", Container: "base"}, 0},
		"kubectl --timestamps": {"2024-02-15T16:47:31.204118902Z", "", "", nil, 0},
		"watcher CSV":          {"2021-09-11T01:06:35.083Z", "KubernetesJobWatcher", "", nil, 18},
		"Datadog CSV":          {"2024-02-15T17:47:55.619Z", "", "", &Labels{Host: "h1"}, 26},
		"Datadog API":          {"2024-02-15T17:47:55.619Z", "", "info", &Labels{Host: "h"}, 9},
		"airflow 3 records":    {"0001-01-01T00:00:00Z", "", "", nil, 0},
	} {
		l := first(name)
		if got := l.At.Format(time.RFC3339Nano); got != want.at {
			t.Errorf("%s: at %s, want %s", name, got, want.at)
		}
		if l.Origin != want.origin || l.Level != want.level {
			t.Errorf("%s: origin %q level %q, want %q %q", name, l.Origin, l.Level, want.origin, want.level)
		}
		if g, w := spellLabels(l.Labels), spellLabels(want.labels); g != w {
			t.Errorf("%s: labels %s, want %s", name, g, w)
		}
		if l.Offset != want.offset {
			t.Errorf("%s: offset %d, want %d", name, l.Offset, want.offset)
		}
	}
	c := find("Vector")
	in := c.in + c.in
	if _, lines, _ := drain([]byte(in), strings.NewReader(in)); lines[0].Labels == nil || lines[0].Labels != lines[1].Labels {
		t.Errorf("equal labels are not shared")
	}
}

func spellLabels(l *Labels) string {
	if l == nil {
		return "none"
	}
	c, index := *l, "none"
	if l.MapIndex != nil {
		index = fmt.Sprint(*l.MapIndex)
	}
	c.MapIndex = nil
	return fmt.Sprintf("%+v index %s", c, index)
}

// A document that breaks off yields what stands before the break and says where it is.
func TestLinesBroken(t *testing.T) {
	for _, c := range sampleInputs() {
		if !strings.HasPrefix(c.in, "{") && !strings.HasPrefix(c.in, "[") || len(c.want) < 1 {
			continue
		}
		_, want, _ := drain([]byte(c.in), strings.NewReader(c.in))
		for i := len(c.in) - 1; i > 0; i-- {
			in := c.in[:i]
			_, lines, err := drain([]byte(in), strings.NewReader(in))
			var broken *Broken
			if errors.As(err, &broken) && broken.Offset > int64(i) || !errors.As(err, &broken) && !errors.Is(err, io.EOF) {
				t.Fatalf("%s cut at %d: %v", c.name, i, err)
			}
			if len(lines) > len(want)+strings.Count(in, "\n")+1 {
				t.Fatalf("%s cut at %d: %v", c.name, i, spell(lines))
			}
		}
	}
	in := `{"content": "[('vm', 'a\\nb\\nc`
	l, lines, err := drain([]byte(in), strings.NewReader(in))
	var broken *Broken
	if !errors.As(err, &broken) || broken.Offset != int64(len(in)) || l.Format() != "rest-json" ||
		fmt.Sprint(spell(lines)) != "[1 vm|a 1 vm|b 1 vm|c]" {
		t.Errorf("%s %v %v", l.Format(), spell(lines), err)
	}
	in = `{"events":[{"message":"a","timestamp":1707990475619},` + "\n" + `{"message":"b","timestamp":17079`
	_, lines, err = drain([]byte(in), strings.NewReader(in))
	if !errors.As(err, &broken) || broken.No != 2 || fmt.Sprint(spell(lines)) != "[1 |a]" {
		t.Errorf("%v %v", spell(lines), err)
	}
	if got, want := broken.Error(), fmt.Sprintf("the document breaks off at byte %d (line 2): lines before it were read", len(in)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// filler yields a begin, then n bytes, then an end.
func filler(begin string, n int64, end string) io.Reader {
	return io.MultiReader(strings.NewReader(begin), io.LimitReader(zeros('x'), n), strings.NewReader(end))
}

type zeros byte

func (z zeros) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(z)
	}
	return len(b), nil
}

func TestLinesTooLarge(t *testing.T) {
	begin := `{"events":[{"message":"`
	_, lines, err := drain([]byte(begin), filler(begin, documentMost, `"}]}`))
	var large *TooLarge
	if !errors.As(err, &large) || len(lines) > 0 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	if want := "a document that is one JSON value is larger than 32 MiB: export it in lines (ndjson) or in smaller parts"; err.Error() != want {
		t.Errorf("%s, want %s", err, want)
	}
}

// Lines of any length take bounded memory, in every layer.
func TestLinesHuge(t *testing.T) {
	const huge = 48 << 20
	for _, c := range []struct{ begin, end, want string }{
		{"[2024-02-15T17:47:55.619+0000] {a.py:1} INFO - ", "tail\n", "tail"},
		{"w-1  | a\nw-1  | ", "tail\n", "tail"},
		{"name,message\nx,\"", "tail\"\n", "tail"},
		{"2024-02-15T17:47:55.619615643Z stdout F ", "tail\n", "tail"},
		{`{"stream":"stdout","time":"2024-02-15T17:47:55.619615643Z","log":"`, "tail\"}\n", "tail"},
	} {
		_, lines, err := drain([]byte(c.begin), filler(c.begin, huge, c.end))
		if !errors.Is(err, io.EOF) || len(lines) == 0 {
			t.Fatalf("%q: %d lines, %v", c.begin, len(lines), err)
		}
		l := lines[len(lines)-1]
		if !l.Cut || len(l.Text) > capLine || !bytes.HasSuffix(l.Text, []byte(c.want)) {
			t.Errorf("%q: cut %v, %d bytes, end %q", c.begin, l.Cut, len(l.Text), l.Text[max(0, len(l.Text)-10):])
		}
	}
}

// A runtime's parts of one line are joined up to the cap.
func TestLinesParts(t *testing.T) {
	var in strings.Builder
	for range 40 {
		in.WriteString("2024-02-15T17:47:55.619615643Z stdout P " + strings.Repeat("p", 8<<10) + "\n")
	}
	in.WriteString("2024-02-15T17:47:55.619615643Z stdout F end\n")
	_, lines, _ := drain(nil, strings.NewReader(in.String()))
	if len(lines) != 1 || !lines[0].Cut || len(lines[0].Text) != capLine || !bytes.HasSuffix(lines[0].Text, []byte("pend")) || lines[0].No != 1 {
		t.Fatalf("%d lines", len(lines))
	}
}

// A file of NULs is text with NULs.
func TestLinesNULs(t *testing.T) {
	in := strings.Repeat("\x00", 1<<20) + "\n[2024-02-15T17:47:55.619+0000] {a.py:1} INFO - x\n"
	l, lines, err := drain(nil, strings.NewReader(in))
	if l.Format() != "plain" || len(lines) != 2 || !errors.Is(err, io.EOF) || lines[0].Text[0] != 0 {
		t.Fatalf("%s, %d lines, %v", l.Format(), len(lines), err)
	}
}

// An error of the reader comes through, behind the lines before it.
func TestLinesReadError(t *testing.T) {
	boom := errors.New("boom")
	for _, head := range [][]byte{nil, []byte("w-1 | a\nw-1 | b\n")} {
		_, lines, err := drain(head, io.MultiReader(strings.NewReader("w-1 | a\nw-1 | b\nw-1 | c"), iotest.ErrReader(boom)))
		if len(lines) != 3 || !errors.Is(err, boom) {
			t.Errorf("%d lines, %v", len(lines), err)
		}
	}
	if _, lines, err := drain([]byte(`{"events":[{`), io.MultiReader(strings.NewReader(`{"events":[{`), iotest.ErrReader(boom))); len(lines) > 0 || !errors.Is(err, boom) {
		t.Errorf("%d lines, %v", len(lines), err)
	}
}

func FuzzNewLines(f *testing.F) {
	for _, c := range sampleInputs() {
		f.Add([]byte(c.in), 3)
		f.Add(encode(c.in, utf16LE), 100)
	}
	f.Fuzz(func(t *testing.T, in []byte, chunk int) {
		head := in[:min(len(in), headMost)]
		l, want, err := drain(head, bytes.NewReader(in))
		size := 0
		for i, line := range want {
			size += len(line.Text)
			if line.Offset < 0 || line.Offset > int64(len(in)) || line.No < 1 || len(line.Text) > 3*capLine {
				t.Fatalf("line %d: %+v", i, line)
			}
		}
		if size > 2*len(in)+16 && l.code() == utf8Text {
			t.Fatalf("%d bytes out of %d", size, len(in))
		}
		if chunk = chunk & 0xff; chunk == 0 {
			chunk = 1
		}
		_, got, err2 := drain(head, &chunks{in, chunk})
		if all(got) != all(want) || fmt.Sprint(err) != fmt.Sprint(err2) {
			t.Fatalf("reads of %d bytes give\n%s %v\nwant\n%s %v", chunk, all(got), err2, all(want), err)
		}
		if format, plain := SniffFormat(head); plain && (l.Format() != "plain" || format != "plain") {
			t.Fatalf("plain, but %s", l.Format())
		}
	})
}

// code is only asked by the fuzz test: decoding UTF-16 may make text longer.
func (l *Lines) code() coding {
	if l.plain != nil {
		return l.plain.code
	}
	return utf16LE
}

type chunks struct {
	b []byte
	n int
}

func (c *chunks) Read(b []byte) (int, error) {
	if len(c.b) == 0 {
		return 0, io.EOF
	}
	n := copy(b, c.b[:min(c.n, len(c.b))])
	c.b = c.b[n:]
	return n, nil
}

func BenchmarkLinesPlain(b *testing.B) {
	line := "[2023-04-22T10:00:00.504+0000] {taskinstance.py:1103} INFO - row 123456 of 9999999 of the export to the warehouse, all well\n"
	benchmarkLines(b, line)
}

func BenchmarkLinesCompose(b *testing.B) {
	benchmarkLines(b, "airflow-worker-1     | [2023-04-22T10:00:00.504+0000] {taskinstance.py:1103} INFO - row 123456 of 9999999 of the export\n")
}

func BenchmarkLinesCRI(b *testing.B) {
	benchmarkLines(b, "2024-02-15T17:47:55.619615643Z stdout F [2023-04-22T10:00:00.504+0000] {taskinstance.py:1103} INFO - row 123456 of 9999999\n")
}

func BenchmarkLinesDockerJSON(b *testing.B) {
	benchmarkLines(b, `{"log":"[2023-04-22T10:00:00.504+0000] {taskinstance.py:1103} INFO - row 123456 of 9999999\n","stream":"stdout","time":"2024-02-15T17:47:55.619615643Z"}`+"\n")
}

func BenchmarkLinesFluentBit(b *testing.B) {
	benchmarkLines(b, `{"date":1707990475.619615,"log":"[2024-02-15T17:47:55.619+0000] {a.py:1} INFO - x\n","stream":"stdout","kubernetes":{"pod_name":"d-t-1","namespace_name":"airflow","container_name":"base","annotations":{"dag_id":"d","task_id":"g.t","run_id":"manual__2024-02-15T17:00:00+00:00","try_number":"2"}}}`+"\n")
}

func BenchmarkLinesCSV(b *testing.B) {
	benchmarkLines(b, "date,name,message\n2021-09-11T01:06:35.083Z,KubernetesJobWatcher,\"Event: heronpull.4c0d had an event of type ADDED\"\n")
}

func benchmarkLines(b *testing.B, line string) {
	in := []byte(strings.Repeat(line, 1+(8<<20)/len(line)))
	n := bytes.Count(in, []byte("\n"))
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		l := NewLines(in[:headMost], bytes.NewReader(in))
		for {
			if _, err := l.Next(); err != nil {
				break
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/line")
}

func BenchmarkSniffFormat(b *testing.B) {
	for _, c := range sampleInputs() {
		b.Run(c.name, func(b *testing.B) {
			in := []byte(strings.Repeat(c.in, 1+headMost/len(c.in)))[:headMost]
			b.ReportAllocs()
			for b.Loop() {
				SniffFormat(in)
			}
		})
	}
}
