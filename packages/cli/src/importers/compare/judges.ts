import type { Importer } from '../importer.ts'
import { configcatJudge } from './configcat-judge.ts'
import { flagdJudge } from './flagd-judge.ts'
import { flagsmithJudge } from './flagsmith-judge.ts'
import { fliptJudge } from './flipt-judge.ts'
import { growthbookJudge } from './growthbook-judge.ts'
import type { Judge } from './judge.ts'
import { launchdarklyJudge } from './launchdarkly-judge.ts'
import { posthogJudge } from './posthog-judge.ts'
import { unleashJudge } from './unleash-judge.ts'

/** Lists the SDKs that decide what an export says, by source. */
export const judges: ReadonlyMap<Importer['source'], Judge> = new Map<Importer['source'], Judge>([
  ['launchdarkly', launchdarklyJudge],
  ['unleash', unleashJudge],
  ['growthbook', growthbookJudge],
  ['flagsmith', flagsmithJudge],
  ['configcat', configcatJudge],
  ['flipt', fliptJudge],
  ['flagd', flagdJudge],
  ['posthog', posthogJudge],
])
