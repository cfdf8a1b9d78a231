// Voila's program loads a typesetter for formulas (900 kB) whether or not there is one. There is none here.
window.MathJax = { Hub: { Config() {}, Configured() {}, Queue() {}, Register: { StartupHook() {} } } };
