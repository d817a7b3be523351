// The order in which a reader follows the pages; names without .md. A page of docs/ that is missing here is an
// error of the build, so that none is forgotten.

export const contents = [
  { title: 'Start', pages: ['index', 'install', 'first-run', 'idea'] },
  {
    title: 'Use',
    pages: [
      'guide',
      'choosing-a-scheme',
      'reading-the-report',
      'cutting-a-model',
      'planning',
      'series',
      'optimisation',
      'command-line',
      'multibody',
      'units',
      'contact',
      'robots',
      'ropes',
      'tyres',
      'signals',
      'fmi',
      'python',
      'cluster',
      'studies',
    ],
  },
  { title: 'Reference', pages: ['scenario', 'formulas', 'measures', 'schemes', 'benchmarks', 'glossary'] },
  { title: 'Theory', pages: ['theory', 'overlap', 'stability'] },
  {
    title: 'Extend',
    pages: ['development', 'add-a-force-element', 'add-an-integrator', 'add-a-scheme', 'benchmarks-development'],
  },
];

/// Shorter names for the navigation; else the heading of the page.
export const short = {
  index: 'What Cosimo is',
  scenario: 'Scenario keys',
  guide: 'User guide',
  schemes: 'All coupling options',
  cluster: 'On a cluster',
  overlap: 'Overlap',
  studies: 'Published studies',
};
