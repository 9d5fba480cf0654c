import { replaceSource } from './replace-source.ts'

// Loaded before a publisher, it lets the publisher store a mark whatever is there by then.
replaceSource({ '/nats/stored-replica.ts': ['{ expected: sequence }', '{}'] })
