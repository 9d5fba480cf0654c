import { z } from 'zod'
import type { WorkflowInterface, WorkflowAt } from '../../codehosts/workflow.ts'
import { readAnswer, type GithubRequests } from '../api-request.ts'

const contentFile = z.object({
  type: z.literal('file'),
  encoding: z.literal('base64'),
  content: z.string(),
})
/** A directory is a list, and a large file has no content here: neither is a workflow that anybody wrote. */
const content = contentFile.nullable().catch(null)
const workflowPath = z.object({ path: z.string() })

/** Without `contents: read`, which not everybody grants, the answer is 403: that is no trouble of the integration. */
const accept = [403, 404]

/**
 * Reads what the file of a workflow declares. The request carries the ETag of the last answer: a file that has not changed
 * costs nothing.
 *
 * @see https://docs.github.com/en/rest/repos/contents#get-repository-content
 */
export async function readWorkflowInterface(
  requests: Pick<GithubRequests, 'get'>,
  repository: string,
  { workflowId, ref }: WorkflowAt,
): Promise<WorkflowInterface | undefined> {
  const path = await findPath(requests, repository, workflowId)
  if (path === undefined) return undefined
  const segments = path.split('/').map(encodeURIComponent).join('/')
  const query = ref === undefined ? '' : `?ref=${encodeURIComponent(ref)}`
  const answer = await requests.get(`${repository}/contents/${segments}${query}`, { accept })
  if (answer.status !== 200) return undefined
  const file = readAnswer(answer, content)
  if (file === null) return undefined
  // Loaded with the first file, with the reader of YAML.
  const { parseWorkflowFile } = await import('../../codehosts/workflow-file.ts')
  return parseWorkflowFile(Buffer.from(file.content, 'base64'))
}

async function findPath(
  { get }: Pick<GithubRequests, 'get'>,
  repository: string,
  workflowId: string,
): Promise<string | undefined> {
  if (workflowId.includes('/')) return workflowId
  if (!/^\d+$/.test(workflowId)) return `.github/workflows/${workflowId}`
  const answer = await get(`${repository}/actions/workflows/${workflowId}`, { accept })
  return answer.status === 200 ? readAnswer(answer, workflowPath).path : undefined
}
