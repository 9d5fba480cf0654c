import { startSandbox } from '@signalbox/sandbox'
import { createEgress } from '../../../egress/create-egress.ts'
import type { TrackerApi } from '../../tracker.ts'
import { createGitlabApi, type GitlabApi } from '../api.ts'
import { createGitlabRequests, type GitlabRequestOptions } from '../api-request.ts'
import { instanceOf, toRepositoryId } from '../instance.ts'
import { createGitlabIssuesApi } from '../issues/api.ts'
import type { TestReportLimits } from '../test-report.ts'

/** A sandbox with the project `acme/shop`, and the API as Ada sees it, whose role is Owner. */
export async function openGitlab() {
  const sandbox = await startSandbox()
  const egress = createEgress({ allow: ['127.0.0.1'] })
  const webUrl = sandbox.addresses.gitlab
  const { gitlab } = sandbox
  const sent: string[] = []
  /** Returns what calls GitLab with a token of these scopes. */
  const callWith = (scopes: readonly string[], username: string): GitlabRequestOptions => {
    const token = gitlab.createAccessToken(username, scopes)
    return {
      call: {
        provider: 'gitlab',
        egress: {
          request(url, options) {
            const path = url.replace(`${webUrl}/api/v4`, '').replace(webUrl, '')
            sent.push(`${options?.method ?? 'GET'} ${path}`)
            return egress.request(url, options)
          },
        },
        now: () => sandbox.clock.now(),
      },
      webUrl,
      withAccessToken: (send) => send(token),
    }
  }
  const apiWith = (
    scopes: readonly string[],
    username = 'ada',
    testReportLimits?: TestReportLimits,
  ): GitlabApi =>
    createGitlabApi({
      ...callWith(scopes, username),
      scopes,
      ...(testReportLimits !== undefined && { testReportLimits }),
    })
  return {
    sandbox,
    gitlab,
    egress,
    webUrl,
    sent,
    apiWith,
    /** Returns the API of issues as a person sees them who reads alone. */
    issuesAs: (username: string): TrackerApi =>
      createGitlabIssuesApi(
        createGitlabRequests(callWith(['read_api'], username)),
        instanceOf(webUrl),
      ),
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
