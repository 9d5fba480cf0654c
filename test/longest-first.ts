import { join, matchesGlob, relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Lists the files that take longest, in the order in which they are started. A file that waits for limits of the product
 * stands beside one that computes. One of them that is started last keeps one core and leaves the other idle.
 */
const longest = [
  'packages/server/src/deployments/sync/run-sync.test.ts',
  'packages/server/src/start/{push-to-message,example-providers}.test.ts',
  'packages/config/src/client/server-gone.test.ts',
  'packages/server/src/{identity/sessions/routes,start/assistants,jobs/*}.test.ts',
  'test/packages.test.ts',
  'packages/cli/src/commands/{server/github-action,definition/{check,push,shared-schema},values/run}.test.ts',
  'packages/server/src/{commands/start,store/embedded/start-embedded}.test.ts',
  'test/programs/types.test.ts',
  'e2e/{demo,react,setup,first-hour}.test.ts',
  'e2e/dashboard/night/{layers,every-screen,hostile-values,other-providers}.test.ts',
  'e2e/dashboard/{live,every-screen,docs,hostile,roles,roles-secrecy,states}.test.ts',
  'e2e/next-app-{boundaries,from-template}.test.ts',
  'test/proof/{provider-faults,strangers}.proof.ts',
  'test/proof/access.proof.ts',
  'test/proof/{one-message,two-nodes,node-ends}.proof.ts',
  'test/proof/{secrecy,disconnect,bad-input}.proof.ts',
  'test/proof/{webhooks,storm}.proof.ts',
]

/** Starts the files that take longest first, and the others in the order of vitest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId, project }: TestSpecification): readonly [number, number] => {
      const path = relative(join(import.meta.dirname, '..'), moduleId)
      const at = longest.findIndex((glob) => matchesGlob(path, glob))
      return [project.config.sequence.groupOrder, at < 0 ? longest.length : at]
    }
    const sorted = await super.sort(files)
    return sorted
      .map((file) => ({ file, place: placeOf(file) }))
      .toSorted(({ place: [a, one] }, { place: [b, other] }) => a - b || one - other)
      .map(({ file }) => file)
  }
}
