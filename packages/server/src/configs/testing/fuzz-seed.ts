/**
 * The same cases in every run, unless `FUZZ_SEED` asks for others: a check that fails by chance says nothing about a
 * change.
 */
export const fuzzSeed = Number(process.env['FUZZ_SEED'] ?? 20_261_121)
