import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ExportError } from '../importer.ts'
import { parseJson } from '../read-json.ts'
import { splitContext, type Judge } from './judge.ts'

interface Flags {
  isFeatureEnabled(name: string): boolean
  getFeatureValue(name: string): unknown
}

interface Client {
  getEnvironmentFlags(): Promise<Flags>
  getIdentityFlags(identifier: string, traits: object): Promise<Flags>
  close(): Promise<void>
}

/** Describes what is used of the SDK. */
interface Sdk {
  Flagsmith: new (options: object) => Client
  LocalFileHandler: new (path: string) => object
}

/** Decides with the Node SDK of Flagsmith in its offline mode. */
export const flagsmithJudge: Judge = {
  packages: ['flagsmith-nodejs'],
  async open(load, text) {
    if (Array.isArray(parseJson(text))) {
      throw new ExportError(
        'The export of features has no segments and identities, so nothing can decide by it. Compare with the response of GET /api/v1/environment-document/.',
      )
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the SDK is the project's; a missing class is reported
    const sdk = load('flagsmith-nodejs') as Sdk
    const client = new sdk.Flagsmith({
      offlineMode: true,
      offlineHandler: await openHandler(sdk, text),
    })
    return {
      async decide({ key }, context) {
        const { id, rest } = splitContext(context)
        const flags =
          id === undefined
            ? await client.getEnvironmentFlags()
            : await client.getIdentityFlags(id, rest)
        return key.tier === 'featureFlags'
          ? flags.isFeatureEnabled(key.from)
          : flags.getFeatureValue(key.from)
      },
      close: () => client.close(),
    }
  },
}

/** The SDK reads a file, which lives as long as that takes. */
async function openHandler({ LocalFileHandler }: Sdk, text: string): Promise<object> {
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-compare-'))
  try {
    const path = join(directory, 'environment.json')
    await writeFile(path, text, { mode: 0o600 })
    return new LocalFileHandler(path)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
