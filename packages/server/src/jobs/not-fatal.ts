/**
 * Returns SQL for sweeps that look for work without a job: whether the job of `queue` about the id in `column` has not ended its
 * process until it was dead. One that has waits for a person: put back by a sweep it would end the next process.
 */
export function notFatal(queue: string, column: string): string {
  return `not exists (select from dead_jobs dead where dead.subject_id = ${column} and dead.queue = '${queue}'
    and dead.cause = 'process_ended' and dead.retried_at is null)`
}
