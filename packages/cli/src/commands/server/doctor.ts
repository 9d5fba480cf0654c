import { defineCommand } from '../../action.ts'
import { type Finding, examine } from '../../doctor/examine.ts'
import type { Session } from '../../session.ts'
import { programName, withProgramName } from '../../terminal/program-name.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'

async function doctor(session: Session): Promise<void | { readonly exitWith: number }> {
  const findings = await session.progress('Examining', () => examine(session))
  const { output } = session
  const { styles } = output
  const marks = {
    ok: styles.green('✓'),
    warning: styles.yellow('!'),
    fault: styles.red('✗'),
  } as const
  output.document({ findings })
  const program = programName(session.env, session.cwd)
  const width = Math.max(...findings.map(({ name }) => name.length))
  for (const { state, name, detail, next } of findings) {
    output.data(`${marks[state]} ${name.padEnd(width)}  ${detail}`)
    if (next === undefined) continue
    const command = withProgramName(next, program)
    output.data(`  ${' '.repeat(width)}  ${styles.dim('next:')} ${command}`)
  }
  return findings.some(isFailed) ? { exitWith: exitCodes.failure } : undefined
}

const isFailed = ({ state }: Finding) => state === 'fault'

/** Defines `signalbox doctor`. */
export const doctorCommand = defineCommand({
  about:
    'Checks Node, the project file, the definition, the server, the token, stored configuration, the clock, proxies and .env.local, and prints the next step for each problem.',
  examples: ['signalbox doctor', 'signalbox doctor --json'],
  run: doctor,
})
