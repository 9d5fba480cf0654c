import { startSandbox } from '@signalbox/sandbox'
import { createEgress } from '../../../egress/create-egress.ts'
import type { CodehostApi } from '../../codehost.ts'
import { instanceOf, toInstanceId } from '../../codehosts/instance-ids.ts'
import type { TrackerApi } from '../../tracker.ts'
import { createForgejoApi } from '../api.ts'
import { createForgejoRequests, type ForgejoRequestOptions } from '../api-request.ts'
import { createForgejoIssuesApi } from '../issues/api.ts'

/** A sandbox with the repository `acme/shop`, and the API as Ada sees it, who administers it. */
export async function openForgejo() {
  const sandbox = await startSandbox()
  const egress = createEgress({ allow: ['127.0.0.1'] })
  const webUrl = sandbox.addresses.forgejo
  const { forgejo } = sandbox
  const sent: string[] = []
  /** Returns what calls the instance with a token of these scopes. */
  const callWith = (scopes: readonly string[], login: string): ForgejoRequestOptions => {
    const token = forgejo.createAccessToken(login, scopes)
    return {
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
    }
  }
  /** Returns the API with a token of these scopes. */
  const apiWith = (scopes: readonly string[], login = 'ada'): CodehostApi =>
    createForgejoApi({ ...callWith(scopes, login), scopes, accountId: login })
  return {
    sandbox,
    forgejo,
    egress,
    webUrl,
    sent,
    apiWith,
    /** Returns the API of issues as a person sees them who reads alone. */
    issuesAs: (login: string): TrackerApi =>
      createForgejoIssuesApi(
        createForgejoRequests(callWith(['read:repository', 'read:issue', 'read:user'], login)),
        instanceOf(webUrl),
      ),
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
