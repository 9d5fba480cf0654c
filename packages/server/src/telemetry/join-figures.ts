import { AggregatorRegistry } from 'prom-client'

/** Holds a metric of a process with its values, as its registry tells it. */
export interface MetricFigures {
  readonly name: string
  readonly type: unknown
}

/** Renders the metrics of several processes as those of one: counts are added, an age is the highest. */
export function joinFigures(processes: readonly (readonly MetricFigures[])[]): Promise<string> {
  return AggregatorRegistry.aggregate([...processes]).metrics()
}

/**
 * Adds the counts of a process that has ended to those of others before it. Without them the sum would fall, and Prometheus
 * would take that for a restart and count everything again.
 */
export async function addCounts(
  ended: readonly MetricFigures[],
  figures: readonly MetricFigures[],
): Promise<readonly MetricFigures[]> {
  const counts = figures.filter(({ type }) => ['counter', 'histogram'].includes(String(type)))
  return AggregatorRegistry.aggregate([[...ended], counts]).getMetricsAsJSON()
}
