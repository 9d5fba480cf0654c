#!/usr/bin/env node
// Kept outside of dist so that npm finds it to link before anything is built.
import '../dist/sandbox/src/main.js'
