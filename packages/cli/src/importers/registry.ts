import type { Importer } from './importer.ts'
import { configcat } from './configcat/configcat.ts'
import { flagd } from './flagd/flagd.ts'
import { flagsmith } from './flagsmith/flagsmith.ts'
import { flipt } from './flipt/flipt.ts'
import { goFeatureFlag } from './go-feature-flag/go-feature-flag.ts'
import { growthbook } from './growthbook/growthbook.ts'
import { launchdarkly } from './launchdarkly/launchdarkly.ts'
import { posthog } from './posthog/posthog.ts'
import { unleash } from './unleash/unleash.ts'
import { awsSecretsManager } from './variables/aws-secrets.ts'
import { awsSsm } from './variables/aws-ssm.ts'
import { doppler } from './variables/doppler.ts'
import { dotenv } from './variables/dotenv.ts'
import { infisical } from './variables/infisical.ts'
import { kubernetes } from './variables/kubernetes.ts'
import { names } from './variables/names.ts'
import { vault } from './variables/vault.ts'
import { vercel } from './variables/vercel.ts'

/** Lists the readers by the word that `signalbox import` takes. One more source is a folder and a line here. */
export const importers: ReadonlyMap<string, Importer> = new Map(
  [
    launchdarkly,
    unleash,
    growthbook,
    flagsmith,
    configcat,
    flipt,
    flagd,
    goFeatureFlag,
    posthog,
    dotenv,
    doppler,
    infisical,
    vercel,
    awsSsm,
    awsSecretsManager,
    kubernetes,
    vault,
    names,
  ].map((importer) => [importer.source, importer]),
)

/** Maps the names of products to the source that reads them. */
const aliases: ReadonlyMap<string, Importer> = new Map([['github-actions', names]])

/** Lists the words that `signalbox import` takes. */
export const sourceWords: readonly string[] = [...importers.keys(), ...aliases.keys()]

/** Returns the reader by the word of a person. */
export function findImporter(word: string): Importer | undefined {
  return importers.get(word) ?? aliases.get(word)
}
