import { migrations } from '../../../packages/server/src/store/migrations/index.ts'
import { exampleExpansion } from '../../../packages/server/src/store/testing/example-migrations.ts'

// Loaded before the service, it makes a release of it that is newer by one migration.
Reflect.apply(Array.prototype.push, migrations, [exampleExpansion])
