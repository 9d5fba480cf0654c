import { describe, expect, it } from 'vitest'
import { openRepository } from '../testing/open-repository.ts'

async function openFile() {
  const opened = await openRepository()
  opened.activity.addWorkflow(opened.repository, {
    name: 'E2E: all',
    file: 'e2e.yml',
    inputs: ['sha', { name: 'suite', required: true, type: 'choice', options: ['smoke', 'all'] }],
    runName: 'E2E ${{ inputs.sha }}',
  })
  return opened
}

const place = 'GET /contents/.github/workflows/e2e.yml'
interface File {
  readonly content: string
  readonly size: number
}

describe('the contents of a file', () => {
  it('are those of the workflow, in lines of base64', async () => {
    const { ask, api, web } = await openFile()
    const { status, body, headers } = await ask<File>(place)
    const text = Buffer.from(body.content, 'base64').toString()
    expect(status).toBe(200)
    expect(headers.get('etag')).toMatch(/^W\/"/)
    expect(body.content).toMatch(/^(?:[A-Za-z0-9+/=]{1,60}\n)+$/)
    expect(body).toMatchObject({
      type: 'file',
      encoding: 'base64',
      name: 'e2e.yml',
      path: '.github/workflows/e2e.yml',
      size: text.length,
      sha: expect.stringMatching(/^[0-9a-f]{40}$/),
      url: `${api}/repos/acme/shop/contents/.github/workflows/e2e.yml?ref=main`,
      html_url: `${web}/acme/shop/blob/main/.github/workflows/e2e.yml`,
    })
    expect(text.split('\n')).toEqual(
      expect.arrayContaining([
        'name: "E2E: all"',
        '  workflow_dispatch:',
        '      "suite":',
        '        required: true',
        '        options: ["smoke","all"]',
      ]),
    )
  })

  it.each(['/contents/none.yml', '/contents/.github/workflows/e2e.yml?ref=none'])(
    'are not there at %s',
    async (path) => {
      const { ask } = await openFile()
      expect((await ask(`GET ${path}`)).status).toBe(404)
    },
  )

  it('are for those who may read them', async () => {
    const { ask } = await openFile()
    expect((await ask(place, { permissions: { actions: 'read' } })).status).toBe(403)
  })
})
