import type { Importer } from './importer.ts'
import { flagd } from './flagd/flagd.ts'
import { flagsmith } from './flagsmith/flagsmith.ts'
import { growthbook } from './growthbook/growthbook.ts'
import { launchdarkly } from './launchdarkly/launchdarkly.ts'
import { unleash } from './unleash/unleash.ts'

/** Lists the readers by the word that `signalbox import` takes. One more source is a folder and a line here. */
export const importers: ReadonlyMap<string, Importer> = new Map(
  [launchdarkly, unleash, growthbook, flagsmith, flagd].map((importer) => [
    importer.source,
    importer,
  ]),
)
