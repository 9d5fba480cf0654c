import { z } from 'zod'
import { callProvider, readProviderJson } from '../../call-provider.ts'
import type { FormConnector } from '../../connector.ts'
import { valueOf, type ProviderApplication, type ProviderContext } from '../../context.ts'
import type { CodehostProvider } from '../../provider.ts'
import { createExampleHostApi } from './api.ts'

const name = 'example-host'
const user = z.object({ id: z.string(), login: z.string() })

/** Describes a code host that nobody runs: without deployments, webhooks and tokens of pipelines, and connected by a form. */
export const exampleHost: CodehostProvider = {
  name,
  kind: 'codehost',
  displayName: 'Example Host',
  icon: { letters: 'EH', hue: 90 },
  addresses: [],
  application: {
    fields: [
      {
        name: 'url',
        setting: 'URL',
        meaning: 'URL of Example Host.',
        label: 'Address of Example Host',
        role: 'identity',
      },
    ],
    registerUrl: () => 'https://git.example.com',
  },
  startableAdvice: 'nothing has to be done',
  openConnector: createExampleHostConnector,
  openCalls:
    ({ application }) =>
    ({ call, withAccessToken }) => {
      const host = application()
      return (
        host && createExampleHostApi({ base: valueOf(host.values, 'url'), call, withAccessToken })
      )
    },
}

function createExampleHostConnector(
  { egress, now }: ProviderContext,
  { values }: ProviderApplication,
): FormConnector {
  const base = valueOf(values, 'url')
  return {
    provider: name,
    way: 'form',
    form: {
      advice: 'Example Host shows a token.',
      fields: [{ name: 'token', label: 'Token', role: 'secret', isRequired: true }],
    },
    async connect({ token: accessToken = '' }) {
      const headers = { authorization: `Bearer ${accessToken}` }
      const call = { provider: name, egress, now }
      const answer = await callProvider(call, { url: `${base}/user`, headers })
      const { id, login } = user.parse(readProviderJson(name, answer))
      const ends = { accessExpiresAt: null, refreshToken: null, refreshExpiresAt: null }
      return {
        account: { id, name: login, url: base },
        choices: [],
        grant: { accessToken, scopes: [], ...ends },
        scopes: [],
        reconnectBefore: null,
        settings: {},
      }
    },
    refresh: undefined,
    revoke: undefined,
    manageUrl: base,
    wantedScopes: {},
  }
}
