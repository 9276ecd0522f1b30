// Command lastwords reads what an Apache Airflow task try left behind and says how the try ended, what killed it, how
// sure that is, which lines prove it, and what the retries cost.
//
//	kubectl logs my-pod | lastwords
//	lastwords scan logs/ scheduler.log
//	lastwords timeline logs/ -o md
//
// This package wires the others together and renders finished histories. It decides nothing about a try, and it touches
// the operating system only in main.go and system.go: streams, clock and environment are handed to Run, so the whole
// program runs inside a test. Whatever comes from a log passes through clean before it is written anywhere.
package main
