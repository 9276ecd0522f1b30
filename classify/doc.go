// Package classify decides how Airflow task tries ended, what ended them and what that cost.
//
// It turns named bytes into lines, records, evidence and one verdict a try, joins what schedulers and workers
// recorded to it, and builds histories, findings, timelines and costs from the verdicts. It is pure: it opens no
// file, asks no network, reads no clock and knows nothing of colour, so that another program can import it.
//
//	c := classify.New(classify.Options{Rules: rules.Builtin(), Now: now})
//	part := c.Stream("task.log", reader)
//	report := c.Report([]*classify.Part{part})
package classify
