import type { Importer } from './importer.ts'
import { configcat } from './configcat/configcat.ts'
import { flagd } from './flagd/flagd.ts'
import { flagsmith } from './flagsmith/flagsmith.ts'
import { flipt } from './flipt/flipt.ts'
import { growthbook } from './growthbook/growthbook.ts'
import { launchdarkly } from './launchdarkly/launchdarkly.ts'
import { unleash } from './unleash/unleash.ts'
import { awsSecretsManager } from './variables/aws-secrets.ts'
import { awsSsm } from './variables/aws-ssm.ts'
import { doppler } from './variables/doppler.ts'
import { dotenv } from './variables/dotenv.ts'
import { infisical } from './variables/infisical.ts'
import { kubernetes } from './variables/kubernetes.ts'
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
    dotenv,
    doppler,
    infisical,
    vercel,
    awsSsm,
    awsSecretsManager,
    kubernetes,
    vault,
  ].map((importer) => [importer.source, importer]),
)
