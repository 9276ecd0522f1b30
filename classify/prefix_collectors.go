package classify

import "bytes"

// cutCRI: the files that containerd and CRI-O write below /var/log/pods
// (kubernetes/design-proposals kubelet-cri-logging.md).
//
//	2024-02-15T17:47:55.619615643Z stdout F [2024-02-15T17:47:55.619+0000] {taskinstance.py:1103} INFO - …
func cutCRI(b []byte, f *prefixFound) bool {
	at, n := clockISO(b)
	if n == 0 || n+9 > len(b) || b[n] != ' ' || b[n+7] != ' ' {
		return false
	}
	switch string(b[n+1 : n+7]) {
	case "stdout":
		f.fd = 1
	case "stderr":
		f.fd = 2
	default:
		return false
	}
	rest := b[n+8:]
	tag := rest
	if i := bytes.IndexByte(rest, ' '); i >= 0 {
		tag = rest[:i]
	}
	f.at, f.text = at, min(n+8+len(tag)+1, len(b))
	// a tag may be followed by more, behind a colon
	tag, _, _ = bytes.Cut(tag, []byte(":"))
	f.part = string(tag) == "P"
	return f.part || string(tag) == "F"
}

// cutKubectl: kubectl logs --prefix (kubectl/pkg/cmd/logs/logs.go).
//
//	[pod/airflow-worker-0/worker] [2024-02-15T17:47:55.619+0000] {taskinstance.py:1103} INFO - …
func cutKubectl(b []byte, f *prefixFound) bool {
	if !bytes.HasPrefix(b, []byte("[pod/")) {
		return false
	}
	end := bytes.IndexByte(b, ']')
	if end < 0 {
		return false
	}
	pod, container, ok := bytes.Cut(b[5:end], []byte("/"))
	if !ok || len(objectName(pod)) != len(pod) || len(objectName(container)) != len(container) {
		return false
	}
	f.place = [2][]byte{pod, container}
	f.text = blankAt(b, end+1)
	return true
}

// cutCompose: docker compose logs and up (docker/compose cmd/formatter/logs.go; v1 has worker_1).
//
//	airflow-worker-1     | [2024-02-14T09:00:03.551+0000] {copy.py:14} INFO - 1/40 copied
func cutCompose(b []byte, f *prefixFound) bool {
	rest := skipControls(b)
	name := serviceName(rest)
	if len(name) == 0 {
		return false
	}
	rest = rest[len(name):]
	n := 0
	for n < len(rest) && rest[n] == ' ' {
		n++
	}
	if n == 0 || n == len(rest) || rest[n] != '|' {
		return false
	}
	end := len(b) - len(rest) + n + 1
	if end < len(b) && b[end] != ' ' && b[end] != '\x1b' {
		return false
	}
	end = blankAt(b, end)
	f.place[0] = name
	f.text = end + resetLen(b[end:])
	return true
}

// cutSyslog5424: RFC 5424 with its priority.
//
//	<14>1 2024-02-15T17:47:55.619Z worker-1 airflow 4711 - - [2024-02-15T17:47:55.619+0000] {…
func cutSyslog5424(b []byte, f *prefixFound) bool {
	n := priorityLen(b)
	if n == 0 || len(b) < n+2 || b[n] < '1' || b[n] > '9' || b[n+1] != ' ' {
		return false
	}
	i := n + 2
	at, w := clockISO(b[i:])
	if w == 0 && b[i:][0] != '-' {
		return false
	}
	var word [5][]byte // time, host, app, process, message id
	for k := range word {
		end := bytes.IndexByte(b[i:], ' ')
		if end < 0 {
			return false
		}
		word[k] = b[i : i+end]
		i += end + 1
	}
	end := structuredEnd(b[i:])
	if end < 0 {
		return false
	}
	i = blankAt(b, i+end)
	if bytes.HasPrefix(b[i:], []byte("\xef\xbb\xbf")) {
		i += 3
	}
	f.at, f.place, f.text = at, [2][]byte{word[1], word[2]}, i
	return true
}

// structuredEnd returns the length of RFC 5424 structured data, -1 if b begins with none.
func structuredEnd(b []byte) int {
	if len(b) > 0 && b[0] == '-' {
		return 1
	}
	i := 0
	for i < len(b) && b[i] == '[' {
		quoted := false
		for ; i < len(b); i++ {
			switch {
			case b[i] == '\\' && quoted:
				i++
			case b[i] == '"':
				quoted = !quoted
			case b[i] == ']' && !quoted:
				goto closed
			}
		}
		return -1
	closed:
		i++
	}
	if i == 0 {
		return -1
	}
	return i
}

// cutSyslog: RFC 3164 as syslogd writes it, rsyslog's file format, and journalctl -o short, short-iso, short-precise,
// short-full and short-unix (systemd src/shared/logs-show.c).
//
//	Nov 30 18:06:26 worker-1 airflow[4711]: [2026-11-30 18:06:26,358: ERROR/ForkPoolWorker-6] …
//	2026-11-30T18:06:26+0000 worker-1 airflow[4711]: …
func cutSyslog(b []byte, f *prefixFound) bool {
	i := priorityLen(b)
	at, n := clockSyslog(b[i:])
	if n == 0 {
		return false
	}
	i += n
	if i >= len(b) || b[i] != ' ' {
		return false
	}
	i++
	host := hostName(b[i:])
	if len(host) == 0 {
		return false
	}
	i += len(host)
	if i >= len(b) || b[i] != ' ' {
		return false
	}
	i++
	end := i
	for end < len(b) && b[end] > ' ' && b[end] != ':' {
		end++
	}
	if end == i || end >= len(b) || b[end] != ':' || b[i] == '[' || b[i] == '{' {
		return false
	}
	f.at, f.place = at, [2][]byte{host, b[i:end]}
	f.text = blankAt(b, end+1)
	return true
}

// oneHost guards cutSyslog against a timestamp before "Running task: x": real logs name few hosts, and some process.
func oneHost(sample []Line, cut func([]byte, *prefixFound) bool) bool {
	hosts := map[string]bool{}
	fits, pids := 0, 0
	for _, l := range sample {
		var f prefixFound
		if !cut(l.Text, &f) {
			continue
		}
		fits++
		hosts[string(f.place[0])] = true
		if bytes.HasSuffix(f.place[1], []byte("]")) || string(f.place[1]) == "kernel" {
			pids++
		}
	}
	return pids > 0 && len(hosts)*2 <= fits+1
}

// cutGrafana: the TXT that Grafana's Explore downloads (grafana inspector/utils/download.ts).
//
//	1707990475619	2024-02-15T09:47:55.619Z	[2024-02-15T09:47:55.619+0000] {…
func cutGrafana(b []byte, f *prefixFound) bool {
	n := 0
	for n < len(b) && b[n] >= '0' && b[n] <= '9' {
		n++
	}
	if n < 12 || n > 19 || n >= len(b) || b[n] != '\t' {
		return false
	}
	at, w := clockISO(b[n+1:])
	if w == 0 {
		return false
	}
	end := n + 1 + w
	if end < len(b) && b[end] != '\t' {
		return false
	}
	f.at, f.text = at, min(end+1, len(b))
	return true
}

// cutFluentd: Fluentd's out_file: time, tag and record, with tabs between them.
//
//	2024-02-15T17:47:55+00:00	kube.airflow	{"log":"…"}
func cutFluentd(b []byte, f *prefixFound) bool {
	at, n := clockISO(b)
	if n == 0 || n >= len(b) || b[n] != '\t' {
		return false
	}
	end := bytes.IndexByte(b[n+1:], '\t')
	if end <= 0 || n+end+2 >= len(b) || b[n+end+2] != '{' {
		return false
	}
	f.at, f.text = at, n+end+2
	f.place[0] = b[n+1 : n+1+end]
	return true
}

// cutLogcli: logcli's default output (grafana/loki pkg/logcli/output/default.go).
//
//	2024-02-15T17:47:55Z {container="worker", pod="airflow-worker-0"} [2024-02-15T17:47:55.619+0000] {…
func cutLogcli(b []byte, f *prefixFound) bool {
	at, n := clockISO(b)
	if n == 0 || n+2 >= len(b) || b[n] != ' ' || b[n+1] != '{' {
		return false
	}
	i := n + 2
	quoted, equal := false, false
	for ; i < len(b); i++ {
		switch c := b[i]; {
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
			if quoted && b[i-1] != '=' {
				return false
			}
			equal = true
		case c == '}' && !quoted:
			if !equal && i > n+2 {
				return false
			}
			f.at, f.place[0] = at, b[n+1:i+1]
			i++
			for i < len(b) && b[i] == ' ' { // the labels are padded to a column
				i++
			}
			f.text = i
			return true
		case c == ':' && !quoted:
			return false // {file.py:12}
		}
	}
	return false
}

// cutAWSTail: aws logs tail (aws-cli customizations/logs/tail.py): Python's isoformat in UTC and the log stream, which
// is the path of the log in what Airflow ships.
//
//	2024-02-15T17:47:55.619000+00:00 dag_id=etl/run_id=manual__2024-02-15T17_00_00+00_00/task_id=load/attempt=1.log [2024-…
func cutAWSTail(b []byte, f *prefixFound) bool {
	b0 := b
	for n := controlLen(b); n > 0; n = controlLen(b) {
		b = b[n:]
	}
	at, n := clockISO(b)
	if n < 25 || string(b[n-6:n]) != "+00:00" {
		return false
	}
	rest := skipControls(b[n:])
	if len(rest) == 0 || rest[0] != ' ' {
		return false
	}
	rest = skipControls(rest[1:])
	end := 0
	slash := false
	for end < len(rest) && rest[end] > ' ' {
		slash = slash || rest[end] == '/'
		end++
	}
	if end == 0 || !slash || rest[0] == '/' || rest[0] == '[' || rest[0] == '{' || bytes.Contains(rest[:end], []byte("://")) {
		return false
	}
	f.at, f.place[0] = at, rest[:end]
	i := len(b0) - len(rest) + end
	i += resetLen(b0[i:])
	f.text = blankAt(b0, i)
	return true
}

// cutTimestamp: kubectl logs --timestamps, docker logs -t, stern -t, GitHub Actions, CloudWatch's export to S3.
//
//	2024-02-15T17:47:55.619615643+01:00     result = conn._execute_20(statement, params or {}, execution_options)
//
// Airflow 3 and many a log_format begin with such a stamp too; a level behind it says so.
func cutTimestamp(b []byte, f *prefixFound) bool {
	at, n := clockISO(b)
	if n == 0 || n < len(b) && b[n] != ' ' {
		return false
	}
	f.at, f.text = at, blankAt(b, n)
	if n >= 29 && b[19] == '.' && allDigits(b[20:29]) {
		return true // nanoseconds: no Python wrote that
	}
	return !ownAfterStamp(b[f.text:])
}

// ownAfterStamp says whether b goes on like a line whose stamp its writer put there itself: `[info     ] `,
// `INFO - `, `{taskinstance.py:12} `, `[airflow.task] `.
func ownAfterStamp(b []byte) bool {
	b = skipControls(b)
	bracket := false
	if len(b) > 0 && b[0] == '[' {
		bracket = true
		b = skipControls(b[1:])
		if len(b) > 2 && b[0] == '[' && b[1] >= '0' && b[1] <= '9' && bytes.IndexByte(b[:min(len(b), 6)], 'm') > 0 {
			b = b[bytes.IndexByte(b, 'm')+1:] // an escape sequence that lost its ESC
		}
	}
	n := levelLen(b)
	if n == 0 {
		return !bracket && len(b) > 0 && (b[0] == '{' && bytes.Contains(b[:min(len(b), 64)], []byte(".py:")) || b[0] == '-')
	}
	return n == len(b) || b[n] == ' ' || bracket && (b[n] == ']' || b[n] == '\x1b' || b[n] == '[')
}

// levelLen returns the length of the severity that b begins with, in Python's and structlog's spelling.
func levelLen(b []byte) int {
	n := 0
	for n < len(b) && (b[n]|0x20 >= 'a' && b[n]|0x20 <= 'z') {
		n++
	}
	switch string(b[:n]) {
	case "info", "warning", "error", "debug", "critical", "exception", "notset", "warn",
		"INFO", "WARNING", "ERROR", "DEBUG", "CRITICAL", "WARN", "FATAL", "TRACE":
		return n
	}
	return 0
}

// cutKail: boz/kail.
//
//	airflow/airflow-worker-0[worker]: [2024-02-15T17:47:55.619+0000] {…
func cutKail(b []byte, f *prefixFound) bool {
	b0 := b
	b = skipControls(b)
	space := objectName(b)
	if len(space) == 0 || len(space) >= len(b) || b[len(space)] != '/' {
		return false
	}
	rest := b[len(space)+1:]
	pod := objectName(rest)
	rest = rest[len(pod):]
	if len(pod) == 0 || len(rest) == 0 || rest[0] != '[' {
		return false
	}
	box := objectName(rest[1:])
	rest = rest[1+len(box):]
	if len(box) == 0 || !bytes.HasPrefix(rest, []byte("]:")) {
		return false
	}
	f.place = [2][]byte{pod, box}
	i := len(b0) - len(rest) + 2
	i += resetLen(b0[i:])
	f.text = blankAt(b0, i)
	return true
}

// cutStern: stern's default output for one namespace (stern/stern cmd/cmd.go).
//
//	merlin-worker-3 worker 2023-01-26T13:28:12.001Z worker: Warm shutdown (MainProcess)
func cutStern(b []byte, f *prefixFound) bool { return sternWords(b, f, false) }

// cutSternAll: the same for several namespaces.
//
//	airflow merlin-worker-3 worker [2023-01-26T13:28:12.001+0000] {…
func cutSternAll(b []byte, f *prefixFound) bool { return sternWords(b, f, true) }

func sternWords(b []byte, f *prefixFound, namespace bool) bool {
	rest := skipControls(b)
	word := func() []byte {
		w := objectName(rest)
		rest = skipControls(rest[len(w):])
		if len(w) == 0 || len(rest) > 0 && rest[0] != ' ' {
			return nil
		}
		if len(rest) > 0 {
			rest = rest[1:]
		}
		return w
	}
	if namespace {
		if word() == nil {
			return false
		}
		rest = skipControls(rest)
	}
	pod := word()
	if pod == nil || bytes.IndexByte(pod, '-') < 0 && bytes.IndexByte(pod, '.') < 0 {
		return false
	}
	rest = skipControls(rest)
	box := word()
	if box == nil || bytes.IndexByte(box, '.') >= 0 {
		return false
	}
	f.place = [2][]byte{pod, box}
	f.text = len(b) - len(rest)
	return true
}

// looksLikeLogs guards stern's prefix, which is only words: nearly every line has it, the pairs recur, and what is
// left looks like a line of a log at least once.
func looksLikeLogs(sample []Line, cut func([]byte, *prefixFound) bool) bool {
	pairs := map[[2]string]bool{}
	fits, logs := 0, 0
	for _, l := range sample {
		var f prefixFound
		if !cut(l.Text, &f) {
			continue
		}
		fits++
		pairs[[2]string{string(f.place[0]), string(f.place[1])}] = true
		rest := skipControls(l.Text[f.text:])
		if _, n := clockISO(rest); n > 0 || bytes.HasPrefix(rest, []byte("[20")) || bytes.HasPrefix(rest, []byte(`{"`)) {
			logs++
		}
	}
	return logs > 0 && len(pairs)*2 <= fits+logs && fits*5 >= len(sample)*3
}
