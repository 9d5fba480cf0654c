/**
 * Finds or fetches the programs that some tests start and npm does not have: `npm run tools` lists all of them,
 * `npm run tools -- haproxy` only the named ones. Ends with 1 when one is not to be had.
 */
import { findTool } from './tools/find-tool.ts'
import { toolList, type ToolName } from './tools/tool-list.ts'

const isTool = (name: string): name is ToolName => Object.hasOwn(toolList, name)
const wanted = process.argv.slice(2)
const names = wanted.length === 0 ? Object.keys(toolList) : wanted

for (const name of names) {
  const found = isTool(name)
    ? await findTool(name)
    : { reason: `${name} is none of ${Object.keys(toolList).join(', ')}.` }
  console.log('path' in found ? `${name} ${found.version}  ${found.path}` : found.reason)
  if ('reason' in found) process.exitCode = 1
}
