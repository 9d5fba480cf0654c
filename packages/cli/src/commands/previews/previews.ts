import { appendFile } from 'node:fs/promises'
import { buildRouteMap } from '@stricli/core'
import { defineCommand } from '../../action.ts'
import type { Answer } from '../../api/operations.ts'
import { askToDelete, carryOut, defineList } from '../../changes/resource-commands.ts'
import { type CliContext, switchFlag, textFlag } from '../../cli-context.ts'
import { briefs } from '../../help/briefs.ts'
import { openSender, sendsAsPipeline } from '../../pipeline/open-pipeline.ts'
import { readPullRequestEvent } from '../../pipeline/pull-request-event.ts'
import { readPipeline } from '../../pipeline/read-pipeline.ts'
import type { Session } from '../../session.ts'
import { openOrganization } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { printable } from '../../terminal/printable.ts'

type Preview = Answer<'listPreviewEnvironments'>['items'][number]

const most = 100

const list = defineList<Preview>({
  noun: 'previews',
  word: 'previews',
  member: 'previews',
  about:
    'Lists the previews of pull requests, newest first, with those that ended in the last seven days and why. An admin says in a rule which environments of the code host become previews.',
  create: 'A deployment makes one where a rule fits its environment, or: signalbox previews create',
  read: async (api, orgId) => {
    const params = { org_id: orgId }
    const { items } = await api.call('listPreviewEnvironments', { params, query: { limit: most } })
    return items
  },
  rowOf: ({ environment: { name, source }, state, ended }, styles) => [
    styles.bold(printable(name)),
    printable(source?.repository ?? ''),
    nameNumber(source?.pullRequest ?? null),
    state === 'live' ? 'lives' : styles.dim(printable(ended?.detail ?? 'has ended')),
  ],
})

function nameNumber(number: number | null): string {
  return number === null ? '' : `#${number}`
}

const create = defineCommand({
  brief: 'Make the preview of a pull request before it is deployed',
  about:
    'Makes the preview of a pull request, or finds the one that there is. A job of GitHub, GitLab or Forgejo needs no secret for it: it sends the token of the job. The keys are there once, when the preview is made; --renew-keys makes others and ends those of before. With --env-file they are appended to a file as SIGNALBOX_ENVIRONMENT_ID, SIGNALBOX_TOKEN and SIGNALBOX_BROWSER_KEY, and not printed.',
  examples: [
    'signalbox previews create --env-file "$GITHUB_ENV"',
    'signalbox previews create --repository acme/shop --pull-request 7',
  ],
  flags: {
    repository: textFlag('name', 'Repository (default: that of the pipeline)'),
    pullRequest: {
      kind: 'parsed',
      parse: readNumber,
      optional: true,
      brief: 'Number of the pull request (default: that of the pipeline)',
      placeholder: 'number',
    },
    renewKeys: switchFlag('Make new keys, and end those of before'),
    envFile: textFlag('file', 'Append the keys to this file instead of printing them'),
  },
  run: async (session, { envFile, ...flags }) => {
    const body = await readBody(session, flags)
    const what = body.pullRequest === undefined ? 'this pull request' : `#${body.pullRequest}`
    const made = await carryOut(session, {
      would: `make the preview of ${what}`,
      plan: { preview: body },
      send: async () => {
        const { api, orgRef } = await openSender(session)
        const input = { params: { org_id: orgRef }, body }
        return (await api()).callPlainly('createPreviewEnvironment', input)
      },
      done: ({ keys, ...preview }) => [
        describeMade(preview, envFile === undefined ? keys : null),
        { preview, keys: envFile === undefined ? keys : null },
      ],
    })
    if (made === undefined || envFile === undefined) return
    await appendFile(envFile, renderFile(made), { mode: 0o600 })
    if (made.keys === null)
      session.output.warn('The keys were given before. For others: --renew-keys')
  },
})

type Made = Answer<'createPreviewEnvironment'>

function describeMade({ environment }: Pick<Made, 'environment'>, keys: Made['keys']): string {
  const name = `The preview is ${printable(environment.name)}, ${environment.id}`
  if (keys === null) return name
  return `${name}\n  server key, for SIGNALBOX_TOKEN: ${keys.server}\n  browser key: ${keys.browser}`
}

function renderFile({ environment, keys }: Made): string {
  const lines = [`SIGNALBOX_ENVIRONMENT_ID=${environment.id}`]
  if (keys !== null)
    lines.push(`SIGNALBOX_TOKEN=${keys.server}`, `SIGNALBOX_BROWSER_KEY=${keys.browser}`)
  return `${lines.join('\n')}\n`
}

interface Named {
  readonly repository?: string | undefined
  readonly pullRequest?: number | undefined
  readonly renewKeys?: boolean | undefined
}

/** Reads what the credential does not say: the token of a job names its repository, and mostly its pull request. */
async function readBody(session: Session, { repository, pullRequest, renewKeys = false }: Named) {
  const { env } = session
  const number = pullRequest ?? (await readPullRequestEvent(env))?.number ?? readMergeRequest(env)
  const isPipeline = await sendsAsPipeline(session)
  const name = repository ?? (isPipeline ? undefined : readPipeline(env).repository)
  if (!isPipeline) requireNamed({ '--repository <name>': name, '--pull-request <number>': number })
  return {
    renewKeys,
    ...(name !== undefined && { repository: name }),
    ...(number !== undefined && { pullRequest: number }),
  }
}

function requireNamed(named: Readonly<Record<string, string | number | undefined>>): void {
  const missing = Object.keys(named).find((flag) => named[flag] === undefined)
  if (missing === undefined) return
  const advice = `Use ${missing}. The command reads it in a pipeline that it knows.`
  throw new CliError('usage', 'usage', 'The pull request is not known.', { advice })
}

function readMergeRequest({ CI_MERGE_REQUEST_IID: text = '' }: Session['env']): number | undefined {
  return text === '' ? undefined : Number(text)
}

function readNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new Error(`"${text}" is no number of a pull request.`)
}

const remove = defineCommand({
  brief: 'End a preview, and delete its values and keys',
  about:
    'Deletes a preview with its values, and ends its keys. The next deployment of its pull request makes another.',
  examples: ['signalbox previews delete pr-7'],
  args: [{ brief: 'Name or id of the preview', placeholder: 'preview' }],
  run: async (session, _flags, ref) => {
    const { api, organization } = await openOrganization(session)
    await carryOut(session, {
      would: `delete the preview ${printable(ref)}`,
      plan: { delete: ref },
      ask: askToDelete(ref, `Delete the preview ${printable(ref)}, its values and its keys?`),
      send: () =>
        api.call('deletePreviewEnvironment', {
          params: { org_id: organization.id, environment_id: ref },
        }),
      done: () => [`Deleted the preview ${printable(ref)}`, { deleted: ref }],
    })
  },
})

/** Defines `signalbox previews`, whose default is the list. */
export const previewsRoutes = buildRouteMap<'list' | 'create' | 'delete', CliContext>({
  routes: { list, create, delete: remove },
  defaultCommand: 'list',
  docs: { brief: briefs.previews },
})
