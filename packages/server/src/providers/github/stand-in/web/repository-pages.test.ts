import { expect, it } from 'vitest'
import { openRepository } from '../testing/open-repository.ts'

it('a run and a commit have the pages that the API links to, and nothing else has', async () => {
  const { activity, repository, ada, web } = await openRepository()
  const message = 'ABC-1 <b>Keep</b> it\n\nAll of it.'
  const commits = [{ message, modified: ['a.ts'] }]
  const { sha } = activity.push(repository, { ref: 'main', pusher: ada, commits })
  const workflow = activity.addWorkflow(repository, { name: 'E2E', file: 'e2e.yml', inputs: [] })
  const event = 'workflow_dispatch'
  const run = activity.requestRun(repository, { workflow, event, ref: 'main', actor: ada })
  activity.startRun(repository, run)
  activity.finishRun(repository, run, 'failure')
  const read = async (path: string) => {
    const answer = await fetch(`${web}/${path}`)
    return `${answer.status} ${await answer.text()}`
  }
  const ofRun = await read(`acme/shop/actions/runs/${run.id}`)
  expect(ofRun).toContain('Attempt 1: failure')
  expect(ofRun).toContain(`/github/acme/shop/commit/${sha}`)
  const ofCommit = await read(`acme/shop/commit/${sha}`)
  expect(ofCommit).toContain('ABC-1 &lt;b&gt;Keep&lt;/b&gt; it')
  expect(ofCommit).toContain('All of it.')
  for (const path of ['acme/shop/actions/runs/1', 'acme/shop/commit/1234567', 'acme/x/commit/1']) {
    expect(await read(path)).toMatch(/^404/)
  }
})
