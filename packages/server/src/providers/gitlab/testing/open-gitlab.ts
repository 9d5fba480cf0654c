import { startSandbox } from '@signalbox/sandbox'
import { createEgress } from '../../../egress/create-egress.ts'
import type { CodehostApi } from '../../codehost.ts'
import { createGitlabApi } from '../api.ts'
import { instanceOf, toRepositoryId } from '../instance.ts'

/** A sandbox with the project `acme/shop`, and the API as Ada sees it, whose role is Owner. */
export async function openGitlab() {
  const sandbox = await startSandbox()
  const egress = createEgress({ allow: ['127.0.0.1'] })
  const webUrl = sandbox.addresses.gitlab
  const { gitlab } = sandbox
  const sent: string[] = []
  /** Returns the API with a token of these scopes. */
  const apiWith = (scopes: readonly string[], username = 'ada'): CodehostApi => {
    const token = gitlab.createAccessToken(username, scopes)
    return createGitlabApi({
      call: {
        provider: 'gitlab',
        egress: {
          request(url, options) {
            sent.push(`${options?.method ?? 'GET'} ${url.replace(`${webUrl}/api/v4`, '')}`)
            return egress.request(url, options)
          },
        },
        now: () => sandbox.clock.now(),
      },
      webUrl,
      withAccessToken: (send) => send(token),
      scopes,
    })
  }
  return {
    sandbox,
    gitlab,
    egress,
    webUrl,
    sent,
    apiWith,
    addShop() {
      const project = gitlab.activity.addProject({ fullPath: 'acme/shop' })
      const user = gitlab.state.users.get('ada')
      if (user === undefined) throw new Error('The seed has lost Ada')
      const id = toRepositoryId(instanceOf(webUrl), String(project.id))
      return { project, user, id }
    },
    close: async () => {
      await Promise.all([sandbox.close(), egress.close()])
    },
  }
}

export type OpenGitlab = Awaited<ReturnType<typeof openGitlab>>
