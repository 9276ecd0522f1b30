package main

import (
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

var bigTry = try{dag: "orders_daily", run: "nightly_20260302", task: "load_orders", operator: "PythonOperator",
	number: 3, of: 3, pid: 11776, date: "2026-03-02"}

const march = 1772424000000 // 2026-03-02T04:00:00Z

// writeText writes about size bytes of one try in Airflow 2 text. It ends in an exception; no line above the end holds
// one of the literals.
func writeText(w io.Writer, size int64) (made, error) {
	l := newLog(w, 1)
	l.now, l.step = march, 1
	if err := l.begin(bigTry); err != nil {
		return made{}, err
	}
	if err := l.work(size - 4<<10); err != nil {
		return made{}, err
	}
	if err := l.end(bigTry, raised, true); err != nil {
		return made{}, err
	}
	return made{Logs: 1, Bytes: l.size, Lines: endLines[raised]}, l.w.Flush()
}

// events is what user code writes in Airflow 3: one object a line, 199 bytes on average. None says how a try ended.
var events = []string{
	`"level":"info","event":"batch #### of 9000: ##### rows read from s3://landing/orders/part-#####.parquet in 1.### s","logger":"task.stdout"}`,
	`"level":"info","event":"wrote ###### rows to warehouse.orders_daily (partition 2026-03-0#), ### duplicates dropped","logger":"orders_etl","filename":"orders_etl.py","lineno":131}`,
	`"level":"info","event":"Uploading /tmp/tmp%%%%%%%%/part-#####.parquet to s3://curated/orders/%%%%%%%%%%%%%%%%.parquet","logger":"airflow.providers.amazon.aws.hooks.s3","filename":"s3.py","lineno":1115}`,
	`"level":"warning","event":"slow answer (#### ms) from \"db-replica-#.internal:5432\", trying the next one; request %%%%%%%%-%%%%","logger":"retrying","filename":"retrying.py","lineno":41}`,
	`"level":"info","event":"Running statement: INSERT INTO stage.orders SELECT * FROM raw.orders WHERE id > ########, parameters: None","logger":"airflow.task.hooks.airflow.providers.postgres.hooks.postgres.PostgresHook","filename":"sql.py","lineno":470}`,
	`"level":"info","event":"progress: ##.# % done, ##### rows/s, #### MiB resident, ## files open","logger":"task.stdout"}`,
	`"level":"debug","event":"message ######## acknowledged","logger":"partner.queue","filename":"queue.py","lineno":77,"message_id":"%%%%%%%%-%%%%-%%%%-%%%%-%%%%%%%%%%%%","attempt":#}`,
}

// writeEvents writes about size bytes of one try in Airflow 3 JSON lines. It ends in an exception.
func writeEvents(w io.Writer, size int64) (made, error) {
	l := newLog(w, 2)
	l.now, l.step = march, 1
	for _, s := range []string{
		`"level":"info","event":"DAG bundles loaded: dags-folder","logger":"airflow.dag_processing.bundles.manager.DagBundlesManager","filename":"manager.py","lineno":179}`,
		`"level":"info","event":"Filling up the DagBag from /opt/airflow/dags/orders_daily.py","logger":"airflow.models.dagbag.DagBag"}`,
	} {
		if err := l.event(s); err != nil {
			return made{}, err
		}
	}
	for l.size < size-2<<10 {
		if err := l.event(events[int(l.rng.Uint64()%uint64(len(events)))]); err != nil {
			return made{}, err
		}
	}
	err := l.event(`"level":"error","event":"Task failed with exception","logger":"task","error_detail":[` +
		`{"exc_type":"ValueError","exc_value":"partition 2026-03-01 has 0 rows, expected at least 1","exc_notes":[],` +
		`"syntax_error":null,"is_cause":false,"frames":[` +
		`{"filename":"/home/airflow/.local/lib/python3.11/site-packages/airflow/sdk/execution_time/task_runner.py","lineno":920,"name":"run"},` +
		`{"filename":"/opt/airflow/dags/orders_daily.py","lineno":59,"name":"load_orders"}],"is_group":false,"exceptions":[]}]}`)
	if err != nil {
		return made{}, err
	}
	return made{Logs: 1, Bytes: l.size, Lines: 1}, l.w.Flush()
}

// writePacked writes the same text twice, as gzip and as zstd, at the usual level of each.
func writePacked(gz, zst io.Writer, size int64) (made, error) {
	g := gzip.NewWriter(gz)
	z, err := zstd.NewWriter(zst)
	if err != nil {
		return made{}, err
	}
	m, err := writeText(io.MultiWriter(g, z), size)
	if err != nil {
		return made{}, err
	}
	if err := g.Close(); err != nil {
		return made{}, err
	}
	return m, z.Close()
}

// writeLine writes size bytes without a line end.
func writeLine(w io.Writer, size int64) error {
	block := make([]byte, 1<<20)
	for i := range block {
		block[i] = 'x'
	}
	for size > 0 {
		n, err := w.Write(block[:min(size, int64(len(block)))])
		if err != nil {
			return err
		}
		size -= int64(n)
	}
	return nil
}

// writeRecord writes a log in Airflow 2 text, in which the task's own code wrote one record of size bytes.
func writeRecord(w io.Writer, size int64) error {
	l := newLog(w, 3)
	l.now, l.step = march, 1000
	if err := l.begin(bigTry); err != nil {
		return err
	}
	if _, err := l.w.WriteString("[2026-03-02T04:01:00.000+0000] {logging_mixin.py:190} INFO - "); err != nil {
		return err
	}
	if err := writeLine(l.w, size); err != nil {
		return err
	}
	if err := l.bare(""); err != nil {
		return err
	}
	if err := l.end(bigTry, raised, true); err != nil {
		return err
	}
	return l.w.Flush()
}
