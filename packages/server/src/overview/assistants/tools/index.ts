import type { AnyTool } from '../tool.ts'
import { applyChangeTool } from './apply-change.ts'
import { compareTool } from './compare.ts'
import { deploymentsTool } from './deployments.ts'
import { explainFlagTool } from './explain-flag.ts'
import { findTool } from './find.ts'
import { getKeyTool } from './get-key.ts'
import { historyTool } from './history.ts'
import { overviewTool } from './overview.ts'
import { proposeChangeTool } from './propose-change.ts'
import { whatsWrongTool } from './whats-wrong.ts'

/** Lists the tools in the order in which assistants read them. */
export const tools: readonly AnyTool[] = [
  overviewTool,
  findTool,
  getKeyTool,
  explainFlagTool,
  historyTool,
  compareTool,
  deploymentsTool,
  whatsWrongTool,
  proposeChangeTool,
  applyChangeTool,
]
