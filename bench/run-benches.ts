/** Describes how a run of several benches is bounded. */
export interface BenchLimits {
  readonly eachSeconds: number
  readonly allSeconds: number
}

/** Names the benches that ended well, those that failed, and those for which no time was left. */
export interface BenchOutcome {
  readonly measured: readonly string[]
  readonly failed: readonly string[]
  readonly left: readonly string[]
}

/** Runs benches one after the other. One that fails, or takes too long, stops no other. */
export async function runBenches(
  benches: readonly string[],
  { eachSeconds, allSeconds }: BenchLimits,
  run: (bench: string, limitSeconds: number) => Promise<boolean>,
): Promise<BenchOutcome> {
  const outcome = { measured: [] as string[], failed: [] as string[], left: [] as string[] }
  const begun = performance.now()
  const secondsSince = (moment: number) => Math.round((performance.now() - moment) / 1000)
  for (const [index, bench] of benches.entries()) {
    const leftSeconds = allSeconds - (performance.now() - begun) / 1000
    if (leftSeconds <= 0) {
      outcome.left.push(bench)
      continue
    }
    console.log(`\n== ${bench}, ${index + 1} of ${benches.length}, after ${secondsSince(begun)} s`)
    const startedAt = performance.now()
    const ok = await run(bench, Math.min(eachSeconds, leftSeconds))
    outcome[ok ? 'measured' : 'failed'].push(bench)
    console.log(`${bench} ${ok ? 'ended' : 'FAILED'} after ${secondsSince(startedAt)} s`)
  }
  console.log(`\n${benches.length} benches in ${(secondsSince(begun) / 60).toFixed(1)} minutes`)
  for (const [kind, names] of Object.entries(outcome))
    if (names.length > 0) console.log(`${kind}: ${names.join(', ')}`)
  return outcome
}
