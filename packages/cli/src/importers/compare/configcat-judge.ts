import type { EvaluationContext } from '@signalbox/contract'
import { silent, splitContext, type Judge } from './judge.ts'

interface Client {
  forceRefreshAsync(): Promise<unknown>
  getValueAsync(key: string, fallback: null, user: object | undefined): Promise<unknown>
  dispose(): void
}

/** Describes what is used of the SDK. */
interface Sdk {
  getClient: (key: string, mode: unknown, options: object) => Client
  PollingMode: Readonly<Record<string, unknown>>
  User: new (id: string, email?: unknown, country?: unknown, custom?: object) => object
}

/** Decides with the Node SDK of ConfigCat, which is offline and finds the config JSON in its cache. */
export const configcatJudge: Judge = {
  packages: ['configcat-node'],
  async open(load, text) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the SDK is the project's; a missing function is reported
    const sdk = load('configcat-node') as Sdk
    const client = sdk.getClient(
      `${'a'.repeat(22)}/${'b'.repeat(22)}`,
      sdk.PollingMode['ManualPoll'],
      {
        offline: true,
        logger: { ...silent, log() {}, isEnabled: () => false },
        cache: { get: () => `${Date.now()}\n"export"\n${text}`, set() {} },
      },
    )
    await client.forceRefreshAsync()
    return {
      decide: ({ key }, context) => client.getValueAsync(key.from, null, toUser(sdk, context)),
      close() {
        client.dispose()
      },
    }
  },
}

function toUser({ User }: Sdk, context: EvaluationContext): object | undefined {
  const { id, rest } = splitContext(context)
  const { Email, Country, ...custom } = rest
  return id === undefined ? undefined : new User(id, Email, Country, custom)
}
