import { describe, expect, it } from 'vitest'
import {
  clientImports,
  providerImports,
  providerNames,
  unlistedProviders,
} from './provider-rules.ts'
import { parseSource, readSourceFiles, showFindings } from './source-files.ts'

const files = readSourceFiles()
const server = 'packages/server/src'
const source = (path: string, ...lines: string[]) => parseSource(path, lines.join('\n'))

describe('only its own folder names a provider', () => {
  it('in every file of the product', () => {
    expect(providerNames(files)).toEqual([])
  })

  it('control: a name in code, in a text and in a comment is found; in its folder and in tests it may stand', () => {
    const lines = ['// As Jira does.', 'export const openSlack = () => "github"']
    const find = (path: string) => providerNames([source(`${server}/${path}`, ...lines)])
    expect(find('inbox/x.ts')).toEqual([`${server}/inbox/x.ts names a provider 3 times`])
    for (const path of ['providers/slack/x.ts', 'providers/registry.ts', 'inbox/x.test.ts']) {
      expect([path, find(path)]).toEqual([path, []])
    }
    for (const path of ['chat/x.ts', 'issue-keys/x.ts', 'webhooks/x.ts']) {
      expect(find(`providers/${path}`)).toHaveLength(1)
    }
  })

  it('control: Linear is found wherever it is the provider, and no time, pattern or gradient is', () => {
    const find = (line: string) => providerNames([source(`${server}/inbox/x.ts`, line)]).length
    for (const line of ["x === 'linear'", 'x.linear.url', '<p>Linear</p>', 'SIGNALBOX_LINEAR_ID']) {
      expect([line, find(line)]).toEqual([line, 1])
    }
    for (const line of [
      '// Takes linear time.',
      "import { LinearPattern } from './linear-pattern.ts'",
      "const background = 'linear-gradient(red, blue)'",
      'scaleLinear()',
    ]) {
      expect([line, find(line)]).toEqual([line, 0])
    }
  })

  it('control: one in the code of the command line is found, and none in its help and comments', () => {
    const find = (path: string, line: string) =>
      providerNames([source(`packages/cli/src/${path}`, line)]).length
    const reads = "const isPipeline = env['GITLAB_CI'] === 'true'"
    expect(find('commands/deployments/x.ts', reads)).toBe(1)
    expect(find('commands/deployments/x.ts', 'const gitlabToken = 1')).toBe(1)
    expect(find('pipeline/read-pipeline.ts', reads)).toBe(0)
    expect(find('demo/x.ts', "// As GitLab does.\nconst brief = 'Connect GitLab'")).toBe(0)
  })

  it('control: one in the code of the sandbox is found outside of the folder of its stand-in and the one list', () => {
    const find = (path: string) =>
      providerNames([source(path, '// As Slack does.', 'const slack = 1')]).length
    for (const path of [
      'control/x.ts',
      'start-sandbox.ts',
      'stage/x.ts',
      'http/x.ts',
      'slack/x.ts',
    ])
      expect([path, find(`packages/sandbox/src/${path}`)]).toEqual([path, 1])
    expect(find('packages/sandbox/src/stand-ins.ts')).toBe(0)
    expect(find(`${server}/providers/slack/stand-in/x.ts`)).toBe(0)
  })

  it.each([
    `${server}/inbox/accept-webhook.ts`,
    'packages/contract/src/rest/inbox.ts',
    'packages/dashboard/src/screens/integrations/connect-button.tsx',
  ])('control: a second file that has to know the chat of the exercise is found: %s', (path) => {
    const line = "export const isExercise = (name: string) => name === 'example-chat'"
    const planted = files.map((file) =>
      file.path === path ? parseSource(path, `${file.text}\n${line}\n`) : file,
    )
    expect(providerNames(planted)).toEqual([`${path} names a provider 1 times`])
  })
})

describe('a provider is one folder, and a line for what the service connects and one for what the sandbox plays', () => {
  it('in both lists', () => {
    expect(unlistedProviders(files)).toEqual([])
  })

  it('control: a folder without its lines is found, with the list', () => {
    const folder = `${server}/providers/example`
    const planted = parseSource(`${folder}/index.ts`, '')
    expect(unlistedProviders([...files, planted])).toEqual([
      `${server}/providers/registry.ts has no line of ${folder}/index.ts`,
      `packages/sandbox/src/stand-ins.ts has no line of ${folder}/stand-in/index.ts`,
    ])
  })
})

describe('only the registry imports the folder of a provider', () => {
  it('in every file of the product', () => {
    expect(providerImports(files)).toEqual([])
  })

  it('control: a second file that imports one is found, whatever it calls it', () => {
    const line = "import { chat } from '../providers/testing/example-chat/index.ts'"
    const find = (path: string, ...lines: string[]) => providerImports([source(path, ...lines)])
    expect(find(`${server}/inbox/x.ts`, line)).toEqual([
      `${server}/inbox/x.ts imports ../providers/testing/example-chat/index.ts`,
    ])
    const other = "import { x } from './slack/index.ts'"
    expect(find(`${server}/providers/find-provider.ts`, other)).toHaveLength(1)
    expect(find(`${server}/providers/registry.ts`, other)).toEqual([])
    expect(find(`${server}/providers/slack/y.ts`, "import './index.ts'")).toEqual([])
  })
})

describe('only tests call a provider through a client that others wrote', () => {
  it('in every file of the product', () => {
    expect(showFindings(clientImports(files))).toEqual([])
  })

  it('control: one in the product is found, and its types; a stand-in may import types, a test everything', () => {
    const lines = [
      "import { Gitlab } from '@gitbeaker/rest'",
      "import type { A } from 'jira.js/cloud'",
    ]
    const find = (path: string) => showFindings(clientImports([source(path, ...lines)]))
    expect(find(`${server}/providers/gitlab/x.ts`)).toEqual([
      `${server}/providers/gitlab/x.ts:1 imports @gitbeaker/rest`,
      `${server}/providers/gitlab/x.ts:2 imports jira.js/cloud`,
    ])
    const standIn = `${server}/providers/gitlab/stand-in/x.ts`
    expect(find(standIn)).toEqual([`${standIn}:1 imports @gitbeaker/rest`])
    expect(find(`${server}/providers/gitlab/x.test.ts`)).toEqual([])
    for (const name of ['@linear/sdk', '@mattermost/client', '@octokit/rest', '@slack/web-api']) {
      expect(
        clientImports([source('packages/cli/src/x.ts', `await import('${name}')`)]),
      ).toHaveLength(1)
    }
  })
})
