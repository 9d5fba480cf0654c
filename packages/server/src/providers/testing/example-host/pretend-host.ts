import { randomUUID } from 'node:crypto'
import { notFound, startPretendServer, type PretendServer } from '../pretend-server.ts'

/** Describes a commit of the pretended host. */
export interface PretendCommit {
  readonly sha: string
  readonly message: string
}

/** Pretends to be Example Host: one repository, `acme/shop`, with a workflow that tests it. */
export interface PretendHost extends PretendServer {
  readonly token: string
  /** Pushes a commit, and returns its SHA. */
  readonly push: (message: string) => string
}

/** Describes the start of the workflow. */
export type StartInputs = Readonly<Record<string, string>>

/** Starts the pretended host. `test`: what its pipeline does once the workflow is started, with the inputs of the start. */
export async function startPretendHost(
  test: (inputs: StartInputs) => Promise<void>,
): Promise<PretendHost> {
  const token = randomUUID()
  const commits: PretendCommit[] = []
  const runs: { readonly id: string; readonly inputs: StartInputs; state: string }[] = []
  const finish = async (run: (typeof runs)[number]) => {
    await test(run.inputs)
    run.state = 'passed'
  }
  const start = (body: string) => {
    const { inputs } = JSON.parse(body) as { readonly inputs: StartInputs }
    const run = { id: String(runs.length + 1), inputs, state: 'running' }
    runs.push(run)
    void finish(run)
    return { status: 201, json: run }
  }
  const server = await startPretendServer(({ method, path: [part, id], authorization, body }) => {
    if (authorization !== `Bearer ${token}`) return { status: 401 }
    if (part === 'user') return { status: 200, json: { id: '7', login: 'acme' } }
    if (part === 'runs' && method === 'POST') return start(body)
    if (part === 'runs') return { status: 200, json: { runs } }
    if (part !== 'commits') return notFound
    return { status: 200, json: { commits: commits.filter(({ sha }) => (id ?? sha) === sha) } }
  })
  return {
    ...server,
    token,
    push(message) {
      const sha = randomUUID().replaceAll('-', '').padEnd(40, '0')
      commits.push({ sha, message })
      return sha
    },
  }
}
