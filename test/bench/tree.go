package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// The shape of a tree. Of all logs about 5 of 25 come before a last try; none of these ended well, and 1 of 20 last tries
// did not either. Of those that did not, 79 % just stop: 19 % of all logs, and 5 % hold a failure.
const (
	treeSeed    = 4 // gives 20,000 logs of 2.76 GB, and much the same sizes with 1,000, 10,000 and 100,000
	medianSize  = 20 << 10
	sigmaSize   = 1.9
	largestSize = 200 << 20
	dags        = 40
)

// triesOf draws how many tries a task had: 1.25 on average, at most 4.
func triesOf(r *rand.Rand) int {
	switch n := r.IntN(100); {
	case n < 84:
		return 1
	case n < 94:
		return 2
	case n < 97:
		return 3
	}
	return 4
}

// tasksOf draws how many tasks of a run have logs: 1.6 on average. With it a tree has more directories than logs, as
// trees of Airflow have.
func tasksOf(r *rand.Rand) int {
	switch n := r.IntN(10); {
	case n < 5:
		return 1
	case n < 9:
		return 2
	}
	return 3
}

func endingOf(r *rand.Rand, last bool) int {
	if last && r.IntN(20) > 0 {
		return succeeded
	}
	switch n := r.IntN(100); {
	case n < 79:
		return silent
	case n < 83:
		return killed
	}
	return raised
}

func sizeOf(r *rand.Rand) int64 {
	return int64(min(math.Exp(math.Log(medianSize)+sigmaSize*r.NormFloat64()), largestSize))
}

// writeTree writes logs files under dir, as Airflow 2.10 lays them out. A run id holds no colon.
func writeTree(dir string, logs int) (made, error) {
	t := &tree{r: rand.New(rand.NewPCG(treeSeed, 0)), dir: dir, logs: logs, log: newLog(nil, treeSeed)}
	if err := os.Mkdir(dir, 0o777); err != nil {
		return made{}, err
	}
	runs := make([]int, dags)
	for t.made.Logs < logs {
		d := t.r.IntN(dags)
		if err := t.run(d, runs[d]); err != nil {
			return made{}, err
		}
		runs[d]++
	}
	return t.made, nil
}

type tree struct {
	r    *rand.Rand
	dir  string
	logs int
	log  *log
	made made
}

var (
	subjects = []string{"orders", "invoices", "customers", "sessions", "shipments", "prices", "returns", "ads"}
	rhythms  = []string{"daily", "hourly", "backfill", "export", "quality"}
	steps    = []string{"extract", "load_partitions", "checks.row_counts", "publish_report", "transform.sessions"}
)

// run writes the logs of the n-th run of a dag.
func (t *tree) run(dag, n int) error {
	day := time.UnixMilli(march).UTC().AddDate(0, 0, n/4)
	id := try{
		dag:  subjects[dag%len(subjects)] + "_" + rhythms[dag/len(subjects)],
		run:  fmt.Sprintf("nightly_%s_%02d00", day.Format("20060102"), n%4*6),
		date: day.Format("2006-01-02"),
	}
	if n == 0 {
		if err := t.mkdir(filepath.Join(t.dir, "dag_id="+id.dag)); err != nil {
			return err
		}
	}
	dir := filepath.Join(t.dir, "dag_id="+id.dag, "run_id="+id.run)
	if err := t.mkdir(dir); err != nil {
		return err
	}
	first := t.r.IntN(len(steps))
	for i := range tasksOf(t.r) {
		id.task, id.operator = steps[(first+i)%len(steps)], "PythonOperator"
		if err := t.task(filepath.Join(dir, "task_id="+id.task), id, day.UnixMilli()+int64(i)*1_800_000); err != nil {
			return err
		}
		if t.made.Logs == t.logs {
			break
		}
	}
	return nil
}

func (t *tree) mkdir(dir string) error {
	t.made.Folders++
	return os.Mkdir(dir, 0o777)
}

// task writes the tries of one task instance. Half of those that stop without a word stop at the same point.
func (t *tree) task(dir string, id try, start int64) error {
	if err := t.mkdir(dir); err != nil {
		return err
	}
	tries := triesOf(t.r)
	id.of = max(tries, 1+t.r.IntN(4))
	point := fmt.Sprintf("{orders_etl.py:88} INFO - batch %d of 9000: aggregating 48211907 rows in memory", 10+t.r.IntN(8000))
	for n := 1; n <= tries && t.made.Logs < t.logs; n++ {
		id.number, id.pid = n, 1000+t.r.IntN(30000)
		how, size := endingOf(t.r, n == tries), sizeOf(t.r)
		same := how == silent && t.r.IntN(2) == 0
		if err := t.write(filepath.Join(dir, "attempt="+strconv.Itoa(n)+".log"), id, how, size, start, point, same); err != nil {
			return err
		}
		t.made.Logs++
		t.made.Ends[how]++
		if how != silent {
			t.made.Hits++
		}
		start = t.log.now + 600_000
	}
	return nil
}

func (t *tree) write(path string, id try, how int, size, start int64, point string, same bool) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	l := t.log
	l.w.Reset(f)
	l.now, l.size = start, 0
	l.step = max(1, (300_000+int64(t.r.IntN(900_000)))/(size/121+12))
	if err := l.begin(id); err != nil {
		return err
	}
	if err := l.work(size - endSize[how]); err != nil {
		return err
	}
	if same {
		if err := l.record(point); err != nil {
			return err
		}
	}
	if err := l.end(id, how, id.number == id.of); err != nil {
		return err
	}
	t.made.Bytes += l.size
	t.made.Lines += endLines[how]
	return l.w.Flush()
}

// endSize is about how many bytes end writes.
var endSize = [...]int64{silent: 0, succeeded: 720, raised: 3300, killed: 460}
