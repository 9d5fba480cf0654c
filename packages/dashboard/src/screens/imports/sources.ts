import { importSources, type ImportSource } from '@signalbox/contract'

/** Says for each source what its export is, and how to get it. A source without an entry has no such help. */
const exports: Readonly<Partial<Record<ImportSource, string>>> = {
  launchdarkly:
    'The response of GET /api/v2/flags/{project}?summary=0, or that of GET /sdk/latest-all.',
  unleash:
    'The response of GET /api/client/features, or that of POST /api/admin/features-batch/export.',
  growthbook: 'The response of GET /api/features/{clientKey}, not encrypted.',
  flagsmith:
    'The response of GET /api/v1/environment-document/. The export of features works too, without segments and identities.',
  configcat: 'The config_v6.json of one environment, as SDKs get it.',
  flipt: 'What flipt export writes, or a features.yaml, with one namespace.',
  flagd: 'A flag definition, as JSON or YAML.',
  dotenv: 'An .env file.',
  vercel: 'The file that vercel env pull writes.',
  doppler: 'What doppler secrets download --no-file --format json prints.',
  infisical: 'What infisical export --format=json prints.',
  'aws-ssm': 'What aws ssm get-parameters-by-path --recursive --with-decryption prints.',
  'aws-secrets-manager': 'What aws secretsmanager get-secret-value prints.',
  kubernetes: 'Manifests with Secrets and ConfigMaps, or kubectl get secret,configmap -o yaml.',
  vault: 'What vault kv get -format=json prints.',
  names:
    'Names of variables, one on each line, or as JSON. Their keys are declared, and you set the values here.',
}

/** Returns what the export of a source is. `undefined`: nothing is written about it. */
export function describeExport(source: ImportSource): string | undefined {
  return exports[source]
}

/** Returns the name of a source as the first word of a list entry. Example: `.env file`. */
export function nameOf(source: ImportSource): string {
  return importSources[source].replace(/^an? /, '')
}
