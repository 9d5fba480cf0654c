import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { AnyConfig } from '@signalbox/config'
import type { fingerprintSecrets } from '@signalbox/config/leak-scan'
import { namedPath } from '@signalbox/config/page'
import { runnerImport } from 'vite'
import type { PageSource } from './page-source.ts'

type SecretValues = Parameters<typeof fingerprintSecrets>[0]

/** Holds the secrets that a build must not contain. */
export interface Secrets {
  readonly names: readonly string[]
  /** Maps the names to the values that this build knows. */
  readonly values: SecretValues
  /** Explains why there may be more secrets. */
  readonly missing: string | undefined
}

export interface SecretSources {
  readonly root: string
  readonly definition: string | undefined
  readonly env: Readonly<Record<string, string>>
  readonly source: PageSource
}

/**
 * Returns the secrets that must not be in the build: their names from the definition, their values from the variables
 * of the same name and, where the build has a server key, from the server.
 */
export async function findSecrets(sources: SecretSources): Promise<Secrets> {
  const declared = await readNames(sources)
  const served = await readServer(sources)
  const names = [...new Set([...declared, ...Object.keys(served.values)])]
  return {
    names,
    values: { ...readVariables(names, sources.env), ...served.values },
    missing: served.missing,
  }
}

async function readNames({ root, definition }: SecretSources): Promise<string[]> {
  const file = resolve(root, definition ?? 'signalbox.config.ts')
  if (!existsSync(file)) {
    if (definition === undefined) return []
    throw new Error(`signalbox: there is no ${file}`)
  }
  const { module } = await runnerImport<{ readonly default?: Partial<AnyConfig> }>(file)
  return Object.keys(module.default?.secret ?? {})
}

/** Reads the variables of the secrets: `STRIPE_KEY` for `stripeKey`, and `VITE_STRIPE_KEY`, which would publish it. */
function readVariables(
  names: readonly string[],
  env: Readonly<Record<string, string>>,
): Record<string, string> {
  const variables = Object.entries(env).map(([name, value]) => [lettersOf(name), value] as const)
  return Object.fromEntries(
    names.flatMap((name) =>
      variables
        .filter(([letters, value]) => value !== '' && letters.endsWith(lettersOf(name)))
        .map(([, value], at) => [at === 0 ? name : `${name} ${at + 1}`, value]),
    ),
  )
}

function lettersOf(name: string): string {
  return name.replaceAll(/[_.-]/g, '').toLowerCase()
}

/** Limits how long a build waits for the server. */
const serverMs = 5_000

async function readServer({
  env,
  source,
}: SecretSources): Promise<Pick<Secrets, 'values' | 'missing'>> {
  const token = env['SIGNALBOX_TOKEN']
  if (token === undefined || token === '') return { values: {}, missing: undefined }
  const { baseUrl, orgId, environment, schema } = source
  try {
    const response = await fetch(baseUrl + namedPath(orgId, environment, schema), {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(serverMs),
    })
    if (!response.ok) return { values: {}, missing: `the server answered ${response.status}` }
    const { secret = {} }: { readonly secret?: SecretValues } = await response.json()
    return { values: secret, missing: undefined }
  } catch {
    return { values: {}, missing: 'the server could not be reached' }
  }
}
