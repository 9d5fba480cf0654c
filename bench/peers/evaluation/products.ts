import type { Product } from '../product.ts'
import { configcat } from './configcat.ts'
import { flagd } from './flagd.ts'
import { flagsmith } from './flagsmith.ts'
import { flipt } from './flipt.ts'
import { growthbook } from './growthbook.ts'
import { launchdarkly } from './launchdarkly.ts'
import { signalbox, signalboxWaiting } from './signalbox.ts'
import { unleash } from './unleash.ts'

/** Lists who decides in the process, ours first. */
export const products: readonly Product[] = [
  signalbox,
  signalboxWaiting,
  launchdarkly,
  unleash,
  growthbook,
  flagsmith,
  configcat,
  flipt,
  flagd,
]
