package sources

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// benchTree makes a tree as Airflow does: a directory for each dag, run and task, sizes around a median of 20 kB.
func benchTree(tb testing.TB, files int, small bool) string {
	dir := tb.TempDir()
	line := strings.Repeat("[2024-05-01T02:14:00.000+0000] {taskinstance.py:1138} INFO - Executing work on 12 rows\n", 8000)
	for i := range files {
		size := []int{2_000, 9_000, 20_000, 20_000, 60_000, 230_000}[i%6]
		if small {
			size = 6_000
		}
		d := filepath.Join(dir, fmt.Sprintf("dag_id=d%d/run_id=scheduled__2024-05-%02dT00+00/task_id=task_%d", i%20, i%28, i/4))
		if err := os.MkdirAll(d, 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(d, fmt.Sprintf("attempt=%d.log", i)), []byte(line[:size]), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	return dir
}

func BenchmarkWalk(b *testing.B) {
	for _, small := range []bool{true, false} {
		dir := benchTree(b, 5000, small)
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("small=%v/workers=%d", small, workers), func(b *testing.B) {
				b.ReportAllocs()
				var n atomic.Int64
				cpu := cpuTime()
				for b.Loop() {
					Open(dir, Options{}).Logs(context.Background(), workers, func(l Log) { n.Add(1) }, func(p Problem) { b.Error(p) })
				}
				if n.Load() != int64(b.N)*5000 {
					b.Fatal(n.Load())
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n.Load()), "ns/file")
				b.ReportMetric(float64((cpuTime()-cpu).Nanoseconds())/float64(n.Load()), "cpu-ns/file")
			})
		}
	}
}
