// Lets Node import TypeScript sources: strips types, without checking them.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const OPTIONS = {
  jsc: { target: 'es2022', parser: { syntax: 'typescript' }, transform: { verbatimModuleSyntax: true } },
  module: { type: 'es6' },
};

export async function resolve(specifier, context, next) {
  if (!specifier.startsWith('.') || !specifier.endsWith('.js')) return next(specifier, context);
  const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
  return existsSync(source) ? { url: source.href, shortCircuit: true } : next(specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const text = readFileSync(fileURLToPath(url), 'utf8');
  return {
    format: 'module',
    source: transformSync(text, OPTIONS).code,
    shortCircuit: true,
  };
}
