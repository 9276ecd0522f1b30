package main

import (
	"bufio"
	"io"
	"math/rand/v2"
	"strconv"
	"time"
)

// log writes what one try leaves behind, with a clock that moves on with every record.
type log struct {
	w    *bufio.Writer
	rng  *rand.PCG
	now  int64 // milliseconds since 1970
	step int64 // a record is written 0 to 2*step milliseconds after the one before
	size int64 // bytes written
	line []byte

	day   int64 // of date
	date  []byte
	spare uint64 // random digits not used yet
	left  int
}

func newLog(w io.Writer, seed uint64) *log {
	return &log{w: bufio.NewWriterSize(w, 1<<20), rng: rand.NewPCG(seed, 0x6c617374), day: -1}
}

// put ends the line that was built and writes it.
func (l *log) put() error {
	l.line = append(l.line, '\n')
	n, err := l.w.Write(l.line)
	l.size += int64(n)
	l.line = l.line[:0]
	return err
}

// stamp starts a line with the time of the next record: 2026-03-02T04:15:07.123.
func (l *log) stamp() {
	l.now += int64(l.rng.Uint64() % uint64(2*l.step+1))
	const perDay = 24 * 60 * 60 * 1000
	if day := l.now / perDay; day != l.day {
		l.day = day
		l.date = time.UnixMilli(l.now).UTC().AppendFormat(l.date[:0], "2006-01-02T")
	}
	ms := l.now % perDay
	s := ms / 1000
	l.line = append(l.line, l.date...)
	l.two(s / 3600)
	l.line = append(l.line, ':')
	l.two(s / 60 % 60)
	l.line = append(l.line, ':')
	l.two(s % 60)
	l.line = append(l.line, '.', byte('0'+ms/100%10))
	l.two(ms % 100)
}

func (l *log) two(n int64) { l.line = append(l.line, byte('0'+n/10), byte('0'+n%10)) }

// fill appends shape with a random digit for every # and a random hexadecimal one for every %.
func (l *log) fill(shape string) {
	for i := range len(shape) {
		c := shape[i]
		switch c {
		case '#':
			c = '0' + byte(l.digit(10))
		case '%':
			c = "0123456789abcdef"[l.digit(16)]
		}
		l.line = append(l.line, c)
	}
}

func (l *log) digit(base uint64) uint64 {
	if l.left == 0 {
		l.spare, l.left = l.rng.Uint64(), 15
	}
	d := l.spare % base
	l.spare /= 16
	l.left--
	return d
}

// record writes one record of an Airflow 2 text log.
func (l *log) record(shape string) error {
	l.line = append(l.line, '[')
	l.stamp()
	l.line = append(l.line, "+0000] "...)
	l.fill(shape)
	return l.put()
}

// bare writes a line without a stamp.
func (l *log) bare(shape string) error {
	l.fill(shape)
	return l.put()
}

// event writes one record of an Airflow 3 log.
func (l *log) event(shape string) error {
	l.line = append(l.line, `{"timestamp":"`...)
	l.stamp()
	l.fill(`###Z",`)
	l.fill(shape)
	return l.put()
}

// text is what user code writes in Airflow 2: message shapes of the lengths that are usual, 121 bytes a line on average.
// The last two are lines without a stamp, as print and dataframes give them. None holds one of the literals.
var text = []string{
	"{orders_etl.py:88} INFO - batch #### of 9000: ##### rows read from s3://landing/orders/part-#####.parquet in 1.### s",
	"{orders_etl.py:131} INFO - wrote ###### rows to warehouse.orders_daily (partition 2026-03-0#), ### duplicates dropped",
	"{logging_mixin.py:190} INFO - progress: ##.# % done, ##### rows/s, #### MiB resident, ## files open",
	"{base.py:84} INFO - Retrieving connection 'warehouse_%%%%'",
	"{sql.py:470} INFO - Running statement: INSERT INTO stage.orders SELECT * FROM raw.orders WHERE id > ########, parameters: None",
	"{s3.py:1115} INFO - Uploading /tmp/tmp%%%%%%%%/part-#####.parquet to s3://curated/orders/%%%%%%%%%%%%%%%%.parquet",
	"{http.py:181} INFO - Sending 'GET' to url: https://api.partner.example/v2/orders?page=####&token=%%%%%%%%%%%%",
	"{retrying.py:41} WARNING - slow answer (#### ms) from db-replica-#.internal:5432, trying the next one; request %%%%%%%%-%%%%",
	"{subprocess.py:106} INFO - + dbt run --select stg_orders_## --threads 4 --vars '{\"batch\": ######}'",
	"{validate.py:57} WARNING - column 'qty' holds ### values that are no number in batch ######, they become null",
	"{logging_mixin.py:190} INFO - Exception ignored while closing cursor ######: connection %%%%%%%% is in use already",
	"        ########  2026-03-0#  customer_######   ###.##  EUR  shipped     warehouse-##  carrier-%%%%",
	"order_id=########  status=shipped  total=###.##  lines=##  checksum=%%%%%%%%%%%%%%%%%%%%%%%%",
}

const bareFrom = 11

// work writes lines of user code until the log has size bytes.
func (l *log) work(size int64) error {
	for l.size < size {
		i := int(l.rng.Uint64() % uint64(len(text)))
		write := l.record
		if i >= bareFrom {
			write = l.bare
		}
		if err := write(text[i]); err != nil {
			return err
		}
	}
	return nil
}

// try is what a log in Airflow 2 text tells of itself.
type try struct {
	dag, run, task, operator string
	number, of               int
	pid                      int
	date                     string // logical date, 2026-03-02
}

// begin writes the records that Airflow 2.10 writes before the task's own code runs.
func (l *log) begin(t try) error {
	ti := "<TaskInstance: " + t.dag + "." + t.task + " " + t.run
	pid, job := strconv.Itoa(t.pid), strconv.Itoa(t.pid%9000+12)
	deps := "{taskinstance.py:2614} INFO - Dependencies all met for dep_context="
	for _, s := range []string{
		"{local_task_job_runner.py:123} INFO - ::group::Pre task execution logs",
		deps + "non-requeueable deps ti=" + ti + " [queued]>",
		deps + "requeueable deps ti=" + ti + " [queued]>",
		"{taskinstance.py:2867} INFO - Starting attempt " + strconv.Itoa(t.number) + " of " + strconv.Itoa(t.of),
		"{taskinstance.py:2890} INFO - Executing <Task(" + t.operator + "): " + t.task + "> on " + t.date + " 00:00:00+00:00",
		"{standard_task_runner.py:72} INFO - Started process " + pid + " to run task",
		"{standard_task_runner.py:104} INFO - Running: ['***', 'tasks', 'run', '" + t.dag + "', '" + t.task + "', '" + t.run +
			"', '--job-id', '" + job + "', '--raw', '--subdir', 'DAGS_FOLDER/" + t.dag + ".py', '--cfg-path', '/tmp/tmp%%%%%%%%']",
		"{standard_task_runner.py:105} INFO - Job " + job + ": Subtask " + t.task,
		"{task_command.py:467} INFO - Running " + ti + " [running]> on host worker-#.airflow.svc",
		"{taskinstance.py:3134} INFO - Exporting env vars: AIRFLOW_CTX_DAG_OWNER='data' AIRFLOW_CTX_DAG_ID='" + t.dag +
			"' AIRFLOW_CTX_TASK_ID='" + t.task + "' AIRFLOW_CTX_EXECUTION_DATE='" + t.date + "T00:00:00+00:00' AIRFLOW_CTX_TRY_NUMBER='" +
			strconv.Itoa(t.number) + "' AIRFLOW_CTX_DAG_RUN_ID='" + t.run + "'",
		"{taskinstance.py:732} INFO - ::endgroup::",
	} {
		if err := l.record(s); err != nil {
			return err
		}
	}
	return nil
}

// ends of a try
const (
	silent    = iota // the log just stops: no verdict line
	succeeded        // Marking task as SUCCESS, return code 0
	raised           // Task failed with exception, return code 1
	killed           // return code -9
)

// endLines is how many lines with a literal a try leaves that ends so. A silent one leaves none.
var endLines = map[int]int64{succeeded: 2, raised: 5, killed: 1}

// end writes the records that Airflow 2.10 writes after the task's own code. final: no try is left.
func (l *log) end(t try, how int, final bool) error {
	day := t.date[:4] + t.date[5:7] + t.date[8:]
	ids := ". dag_id=" + t.dag + ", task_id=" + t.task + ", run_id=" + t.run + ", execution_date=" + day +
		"T000000, start_date=" + day + "T041#1#, end_date=" + day + "T052#4#"
	switch how {
	case succeeded:
		return l.all(
			"{python.py:240} INFO - Done. Returned value was: None",
			"{taskinstance.py:341} INFO - ::group::Post task execution logs",
			"{taskinstance.py:353} INFO - Marking task as SUCCESS"+ids,
			"{local_task_job_runner.py:266} INFO - Task exited with return code 0",
			"{taskinstance.py:3901} INFO - 1 downstream tasks scheduled from follow-on schedule check",
			"{local_task_job_runner.py:245} INFO - ::endgroup::")
	case killed:
		return l.all(
			"{local_task_job_runner.py:266} INFO - Task exited with return code -9. For more information, see "+
				"https://***.apache.org/docs/apache-***/stable/troubleshooting.html#LocalTaskJob-killed",
			"{taskinstance.py:3901} INFO - 0 downstream tasks scheduled from follow-on schedule check",
			"{local_task_job_runner.py:245} INFO - ::endgroup::")
	case raised:
		state := "UP_FOR_RETRY"
		if final {
			state = "FAILED"
		}
		e := exceptions[int(l.rng.Uint64()%uint64(len(exceptions)))]
		if err := l.record("{taskinstance.py:3313} ERROR - Task failed with exception"); err != nil {
			return err
		}
		if err := l.traceback(t, e); err != nil {
			return err
		}
		if err := l.all(
			"{taskinstance.py:1226} INFO - Marking task as "+state+ids,
			"{taskinstance.py:341} INFO - ::group::Post task execution logs",
			"{standard_task_runner.py:124} ERROR - Failed to execute job "+strconv.Itoa(t.pid%9000+12)+" for task "+
				t.task+" ("+e.message+"; "+strconv.Itoa(t.pid)+")"); err != nil {
			return err
		}
		if err := l.traceback(t, e); err != nil {
			return err
		}
		return l.all(
			"{local_task_job_runner.py:266} INFO - Task exited with return code 1",
			"{taskinstance.py:3901} INFO - 0 downstream tasks scheduled from follow-on schedule check",
			"{local_task_job_runner.py:245} INFO - ::endgroup::")
	}
	return nil
}

func (l *log) all(shapes ...string) error {
	for _, s := range shapes {
		if err := l.record(s); err != nil {
			return err
		}
	}
	return nil
}

type exception struct{ kind, message string }

var exceptions = []exception{
	{"ValueError", "partition 2026-03-01 has 0 rows, expected at least 1"},
	{"KeyError", "'currency'"},
	{"psycopg2.OperationalError", "could not connect to server: Connection timed out"},
	{"requests.exceptions.HTTPError", "503 Server Error: Service Unavailable for url"},
	{"airflow.exceptions.AirflowException", "Bash command failed. The command returned a non-zero exit code 1."},
}

func (l *log) traceback(t try, e exception) error {
	const site = `  File "/home/airflow/.local/lib/python3.11/site-packages/airflow/`
	for _, s := range []string{
		"Traceback (most recent call last):",
		site + `models/taskinstance.py", line 768, in _execute_task`,
		"    result = _execute_callable(context=context, **execute_callable_kwargs)",
		"             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^",
		site + `utils/operator_helpers.py", line 252, in run`,
		"    return self.func(*args, **kwargs)",
		"           ^^^^^^^^^^^^^^^^^^^^^^^^^^",
		site + `operators/python.py", line 238, in execute`,
		"    return_value = self.execute_callable()",
		"                   ^^^^^^^^^^^^^^^^^^^^^^^",
		`  File "/opt/airflow/dags/` + t.dag + `.py", line 59, in ` + t.task,
		"    load(batch)",
		e.kind + ": " + e.message,
	} {
		l.line = append(l.line, s...)
		if err := l.put(); err != nil {
			return err
		}
	}
	return nil
}
