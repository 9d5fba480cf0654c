import { expect, it } from 'vitest'
import { openGithub } from '../testing/open-github.ts'

async function openWorkflow() {
  const opened = await openGithub()
  const workflow = opened.github.activity.addWorkflow(opened.repository, {
    name: 'E2E',
    file: 'e2e.yml',
    inputs: ['sha', { name: 'suite', required: true, type: 'choice', options: ['smoke', 'all'] }],
  })
  const read = (workflowId: string, ref?: string) =>
    opened.api.workflows.readInterface(opened.repositoryId, { workflowId, ref })
  return { ...opened, workflow, read }
}

it('reads what a workflow declares, by its number, its file or its path', async () => {
  const { read, workflow } = await openWorkflow()
  const ids = [String(workflow.id), 'e2e.yml', '.github/workflows/e2e.yml']
  for (const id of ids) {
    expect(await read(id, 'main')).toMatchObject({
      isStartable: true,
      inputs: [
        { name: 'sha', isRequired: false },
        { name: 'suite', isRequired: true, options: ['smoke', 'all'] },
      ],
    })
  }
})

it('asks again by the ETag, which costs nothing of the rate limit', async () => {
  const { read, api } = await openWorkflow()
  await read('e2e.yml')
  const before = api.budget()?.remaining
  expect(await read('e2e.yml')).toMatchObject({ isStartable: true })
  expect(api.budget()?.remaining).toBe(before)
})

it('knows nothing of a file that is not there on a branch, and of one that we may not read', async () => {
  const { read, sandbox } = await openWorkflow()
  expect(await read('other.yml')).toBeUndefined()
  expect(await read('1')).toBeUndefined()
  expect(await read('e2e.yml', 'nowhere')).toBeUndefined()
  const body = JSON.stringify({ message: 'Resource not accessible by integration' })
  sandbox.faults.add({
    provider: 'github',
    request: 'GET /repositories/',
    fault: { kind: 'answer', status: 403, body },
  })
  expect(await read('e2e.yml')).toBeUndefined()
})
