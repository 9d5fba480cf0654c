import { startSandbox } from '@signalbox/sandbox'
import { createEgress } from '../../../egress/create-egress.ts'
import type { CodehostApi } from '../../codehost.ts'
import { instanceOf, toInstanceId } from '../../codehosts/instance-ids.ts'
import { createForgejoApi } from '../api.ts'

/** A sandbox with the repository `acme/shop`, and the API as Ada sees it, who administers it. */
export async function openForgejo() {
  const sandbox = await startSandbox()
  const egress = createEgress({ allow: ['127.0.0.1'] })
  const webUrl = sandbox.addresses.forgejo
  const { forgejo } = sandbox
  const sent: string[] = []
  /** Returns the API with a token of these scopes. */
  const apiWith = (scopes: readonly string[], login = 'ada'): CodehostApi => {
    const token = forgejo.createAccessToken(login, scopes)
    return createForgejoApi({
      call: {
        provider: 'forgejo',
        egress: {
          request(url, options) {
            sent.push(`${options?.method ?? 'GET'} ${url.replace(`${webUrl}/api/v1`, '')}`)
            return egress.request(url, options)
          },
        },
        now: () => sandbox.clock.now(),
      },
      webUrl,
      withAccessToken: (send) => send(token),
      scopes,
      accountId: login,
    })
  }
  return {
    sandbox,
    forgejo,
    egress,
    webUrl,
    sent,
    apiWith,
    addShop() {
      const repository = forgejo.activity.addRepository({ fullName: 'acme/shop' })
      const user = forgejo.state.users.get('ada')
      if (user === undefined) throw new Error('The seed has lost Ada')
      return { repository, user, id: toInstanceId(instanceOf(webUrl), String(repository.id)) }
    },
    close: async () => {
      await Promise.all([sandbox.close(), egress.close()])
    },
  }
}

export type OpenForgejo = Awaited<ReturnType<typeof openForgejo>>
