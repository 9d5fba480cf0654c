import type { Definition } from '../definition/definition.ts'
import type { ValueViolation } from '../definition/validate-values.ts'
import { planPush, reportEveryEnvironment } from '../push/plan-push.ts'
import type { DefinitionChange } from '../schema/definition-change.ts'
import { returningLines } from '../schema/returning-lines.ts'
import type { Session } from '../session.ts'
import { chooseSchemaName, openEnvironments, openOrganization } from '../target.ts'
import { CliError } from '../terminal/cli-error.ts'
import { type StoredViolations, validateStored } from './validate-stored.ts'

/** Describes the violations of a definition in one environment. */
export interface CheckedEnvironment {
  readonly environment: string
  readonly production: boolean
  /** Lists the required keys without a value. */
  readonly missing: readonly string[]
  /** Lists the stored values that the definition refuses. Never the value of a secret. */
  readonly invalid: readonly ValueViolation[]
  /** Lists the declared keys that have a value which this token may not read. */
  readonly unread: readonly string[]
}

/** Describes a definition compared with the server: its changes, and the missing and invalid values of each environment. */
export interface CheckedDefinition {
  readonly schema: string
  /** Holds the revision on the server. `null`: the schema is not there yet. */
  readonly revision: number | null
  readonly changes: readonly DefinitionChange[]
  /** Lists what may break programs that read a key, one line each. */
  readonly breaking: readonly string[]
  readonly environments: readonly CheckedEnvironment[]
}

/**
 * Compares a definition with the server, like a push that changes nothing, and runs its validators on the stored values,
 * like `run`.
 *
 * @throws {CliError} `environment_not_found` and the server's rejections
 */
export async function checkEnvironments(
  session: Session,
  definition: Definition,
  names: string | undefined,
): Promise<CheckedDefinition> {
  const target = await openOrganization(session)
  const schemaName = await chooseSchemaName(session)
  const environments = await openEnvironments(target, names)
  const environment = environments.find(({ production }) => production) ?? environments[0]
  if (environment === undefined) {
    throw new CliError('failure', 'no_environment', 'The organization has no environment.', {
      advice: 'signalbox environments create development',
    })
  }
  const plan = await planPush({
    ...target,
    environment,
    definition,
    schemaName,
    prune: false,
    expose: [],
    allowPlain: [],
    returning: {},
  })
  const report = await reportEveryEnvironment(plan)
  return {
    schema: schemaName,
    revision: plan.remote?.revision ?? null,
    changes: plan.changes,
    breaking: [...plan.blocking, ...(plan.returns.length > 0 ? returningLines(plan.report) : [])],
    environments: await Promise.all(
      environments.map(async (environment) => ({
        environment: environment.name,
        production: environment.production,
        ...join(
          report.find((entry) => entry.environment === environment.name),
          plan.remote === undefined
            ? undefined
            : await validateStored(definition, { ...target, environment, schema: plan.remote }),
        ),
      })),
    ),
  }
}

/** Joins the violations that the server finds with those that only the code does. */
function join(
  reported: Pick<StoredViolations, 'missing' | 'invalid'> = { missing: [], invalid: [] },
  ofCode: StoredViolations = { missing: [], invalid: [], unread: [] },
): StoredViolations {
  const known = new Set(reported.invalid.map(({ key }) => key))
  return {
    missing: [...new Set([...reported.missing, ...ofCode.missing])],
    invalid: [...reported.invalid, ...ofCode.invalid.filter(({ key }) => !known.has(key))],
    unread: ofCode.unread.filter((key) => !known.has(key)),
  }
}

/** Returns whether a stored value is refused; with `complete`, also whether a required one is missing. */
export function isRefused({ missing, invalid }: CheckedEnvironment, complete: boolean): boolean {
  return invalid.length > 0 || (complete && missing.length > 0)
}
