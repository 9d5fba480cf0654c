import { z } from 'zod'
import { readAnswer, type GitlabRequests } from './api-request.ts'

const answered = z.object({ version: z.string() })

/** Names the first version in which a pipeline can be started with inputs. @see https://docs.gitlab.com/api/pipelines/ */
export const inputsVersion = '18.1'

/**
 * Reads the version of an instance, such as `19.2.1-ee`; `null` where it does not say. It is read when it decides something: an
 * instance is upgraded while it is connected.
 *
 * @see https://docs.gitlab.com/api/version/
 * @throws {ProviderError}
 */
export async function readVersion({ get }: Pick<GitlabRequests, 'get'>): Promise<string | null> {
  const answer = await get('/version', { accept: [401, 403, 404] })
  return answer.status === 200 ? readAnswer(answer, answered).version : null
}

/** Returns whether a version is another one or newer. One that is not known counts as the newest. */
export function isAtLeast(version: string | null, other: string): boolean {
  const known = version === null ? null : readNumbers(version)
  if (known === null) return true
  const [major, minor] = known
  const [otherMajor, otherMinor] = readNumbers(other) ?? [0, 0]
  return major > otherMajor || (major === otherMajor && minor >= otherMinor)
}

function readNumbers(version: string): readonly [major: number, minor: number] | null {
  const numbers = /^(\d{1,4})\.(\d{1,4})/.exec(version)
  return numbers === null ? null : [Number(numbers[1]), Number(numbers[2])]
}
