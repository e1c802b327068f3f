//# right
use transformer_tutor::curriculum::gradients::tiny_tape::Record;

enum Step {
    Input,
    Add(usize, usize),
    Mul(usize, usize),
}

struct Tape {
    values: Vec<f64>,
    steps: Vec<Step>,
}

impl Tape {
    fn push(&mut self, value: f64, step: Step) -> usize {
        self.values.push(value);
        self.steps.push(step);
        self.values.len() - 1
    }
}

impl Record for Tape {
    fn input(&mut self, value: f64) -> usize {
        self.push(value, Step::Input)
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] + self.values[b];
        self.push(value, Step::Add(a, b))
    }

    fn mul(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] * self.values[b];
        self.push(value, Step::Mul(a, b))
    }

    fn value(&self, place: usize) -> f64 {
        self.values[place]
    }

    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut grad = vec![0.0; self.values.len()];
        grad[of] = 1.0;
        for i in (0..=of).rev() {
            let dy = grad[i];
            match self.steps[i] {
                Step::Input => {}
                Step::Add(a, b) => {
                    grad[a] += dy;
                    grad[b] += dy;
                }
                Step::Mul(a, b) => {
                    grad[a] += dy * self.values[b];
                    grad[b] += dy * self.values[a];
                }
            }
        }
        grad
    }
}

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tape {
        values: Vec::new(),
        steps: Vec::new(),
    })
}

//# [keeps resumes resumes-and-adds] Keeps the gradients between calls and sets only the first to 1.
-    steps: Vec<Step>,
+    steps: Vec<Step>,
+    grads: std::cell::RefCell<Vec<f64>>,
-        let mut grad = vec![0.0; self.values.len()];
+        let mut grad = self.grads.borrow_mut();
+        grad.resize(self.values.len(), 0.0);
-        grad
+        grad.clone()
-        steps: Vec::new(),
+        steps: Vec::new(),
+        grads: std::cell::RefCell::default(),

//# [from-the-end] The walk begins at the last number of the tape instead of the one asked for.
-        grad[of] = 1.0;
-        for i in (0..=of).rev() {
+        let _ = of;
+        let last = self.values.len() - 1;
+        grad[last] = 1.0;
+        for i in (0..=last).rev() {

//# [up-to-it] The result ends at the place asked for instead of covering all places.
-        let mut grad = vec![0.0; self.values.len()];
+        let mut grad = vec![0.0; of + 1];

//# [forwards] Only the number asked for is taken apart; its terms do not pass anything on.
-        for i in (0..=of).rev() {
+        for i in [of] {

//# [depth-first] It walks from each number to its terms depth first and each number only once, so a shared number passes on before its gradient is complete.
         self.values.len() - 1
+    }
+}
+
+impl Tape {
+    fn visit(&self, i: usize, grad: &mut [f64], seen: &mut [bool]) {
+        if seen[i] {
+            return;
+        }
+        seen[i] = true;
+        let dy = grad[i];
+        match self.steps[i] {
+            Step::Input => {}
+            Step::Add(a, b) => {
+                grad[a] += dy;
+                grad[b] += dy;
+                self.visit(a, grad, seen);
+                self.visit(b, grad, seen);
+            }
+            Step::Mul(a, b) => {
+                grad[a] += dy * self.values[b];
+                grad[b] += dy * self.values[a];
+                self.visit(a, grad, seen);
+                self.visit(b, grad, seen);
+            }
+        }
-        for i in (0..=of).rev() {
-            let dy = grad[i];
-            match self.steps[i] {
-                Step::Input => {}
-                Step::Add(a, b) => {
-                    grad[a] += dy;
-                    grad[b] += dy;
-                }
-                Step::Mul(a, b) => {
-                    grad[a] += dy * self.values[b];
-                    grad[b] += dy * self.values[a];
-                }
-            }
-        }
+        let mut seen = vec![false; self.values.len()];
+        self.visit(of, &mut grad, &mut seen);

//# [] It walks every path, but passes on the whole gradient collected so far and not only what this path brought.
         self.values.len() - 1
+    }
+}
+
+impl Tape {
+    fn pass_on(&self, i: usize, grad: &mut [f64]) {
+        let dy = grad[i];
+        match self.steps[i] {
+            Step::Input => {}
+            Step::Add(a, b) => {
+                grad[a] += dy;
+                self.pass_on(a, grad);
+                grad[b] += dy;
+                self.pass_on(b, grad);
+            }
+            Step::Mul(a, b) => {
+                grad[a] += dy * self.values[b];
+                self.pass_on(a, grad);
+                grad[b] += dy * self.values[a];
+                self.pass_on(b, grad);
+            }
+        }
-        for i in (0..=of).rev() {
-            let dy = grad[i];
-            match self.steps[i] {
-                Step::Input => {}
-                Step::Add(a, b) => {
-                    grad[a] += dy;
-                    grad[b] += dy;
-                }
-                Step::Mul(a, b) => {
-                    grad[a] += dy * self.values[b];
-                    grad[b] += dy * self.values[a];
-                }
-            }
-        }
+        self.pass_on(of, &mut grad);

//# right
use transformer_tutor::curriculum::gradients::tiny_tape::Record;

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tape::default())
}

enum Step {
    Input,
    Sum(usize, usize),
    Product(usize, usize),
}

#[derive(Default)]
struct Tape {
    values: Vec<f64>,
    steps: Vec<Step>,
}

impl Tape {
    fn record(&mut self, value: f64, step: Step) -> usize {
        self.values.push(value);
        self.steps.push(step);
        self.values.len() - 1
    }
}

impl Record for Tape {
    fn input(&mut self, value: f64) -> usize {
        self.record(value, Step::Input)
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        self.record(self.values[a] + self.values[b], Step::Sum(a, b))
    }

    fn mul(&mut self, a: usize, b: usize) -> usize {
        self.record(self.values[a] * self.values[b], Step::Product(a, b))
    }

    fn value(&self, place: usize) -> f64 {
        self.values[place]
    }

    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut gradients = vec![0.0; self.values.len()];
        gradients[of] = 1.0;
        for place in (0..=of).rev() {
            let gradient = gradients[place];
            match self.steps[place] {
                Step::Input => {}
                Step::Sum(a, b) => {
                    gradients[a] += gradient;
                    gradients[b] += gradient;
                }
                Step::Product(a, b) => {
                    gradients[a] += gradient * self.values[b];
                    gradients[b] += gradient * self.values[a];
                }
            }
        }
        gradients
    }
}
