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

//# [overwrites] Assigns the gradient of an operand instead of adding to it, so that the last use of a number wins.
use transformer_tutor::curriculum::gradients::tiny_tape::Record;

enum From {
    Input,
    Add(usize, usize),
    Mul(usize, usize),
}

struct Tiny {
    nodes: Vec<(f64, From)>,
}

impl Record for Tiny {
    fn input(&mut self, value: f64) -> usize {
        self.nodes.push((value, From::Input));
        self.nodes.len() - 1
    }
    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.nodes[a].0 + self.nodes[b].0;
        self.nodes.push((value, From::Add(a, b)));
        self.nodes.len() - 1
    }
    fn mul(&mut self, a: usize, b: usize) -> usize {
        let value = self.nodes[a].0 * self.nodes[b].0;
        self.nodes.push((value, From::Mul(a, b)));
        self.nodes.len() - 1
    }
    fn value(&self, place: usize) -> f64 {
        self.nodes[place].0
    }
    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut grads = vec![0.0; self.nodes.len()];
        grads[of] = 1.0;
        for i in (0..=of).rev() {
            let up = grads[i];
            if up == 0.0 {
                continue;
            }
            match self.nodes[i].1 {
                From::Input => {}
                From::Add(a, b) => {
                    grads[a] = up;
                    grads[b] = up;
                }
                From::Mul(a, b) => {
                    grads[a] = up * self.nodes[b].0;
                    grads[b] = up * self.nodes[a].0;
                }
            }
        }
        grads
    }
}

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tiny { nodes: Vec::new() })
}

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

//# [in-f32] Keeps the gradients in f32 while it walks back, so they are not right to 12 digits.
-        let mut gradients = vec![0.0; self.values.len()];
+        let mut gradients = vec![0.0f32; self.values.len()];
-                    gradients[a] += gradient * self.values[b];
-                    gradients[b] += gradient * self.values[a];
+                    gradients[a] += gradient * self.values[b] as f32;
+                    gradients[b] += gradient * self.values[a] as f32;
-        gradients
+        gradients.into_iter().map(f64::from).collect()

//# [keeps] Keeps the gradients in the tape and does not set them back to 0, so a second call adds to the first.
use std::cell::RefCell;
use transformer_tutor::curriculum::gradients::tiny_tape::Record;

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Tape {
        nodes: Vec::new(),
        gradients: RefCell::new(Vec::new()),
    })
}

struct Node {
    value: f64,
    operands: Option<(usize, usize)>,
    is_product: bool,
}

struct Tape {
    nodes: Vec<Node>,
    gradients: RefCell<Vec<f64>>,
}

impl Tape {
    fn push(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.gradients.borrow_mut().push(0.0);
        self.nodes.len() - 1
    }
}

impl Record for Tape {
    fn input(&mut self, value: f64) -> usize {
        self.push(Node {
            value,
            operands: None,
            is_product: false,
        })
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.nodes[a].value + self.nodes[b].value;
        self.push(Node {
            value,
            operands: Some((a, b)),
            is_product: false,
        })
    }

    fn mul(&mut self, a: usize, b: usize) -> usize {
        let value = self.nodes[a].value * self.nodes[b].value;
        self.push(Node {
            value,
            operands: Some((a, b)),
            is_product: true,
        })
    }

    fn value(&self, place: usize) -> f64 {
        self.nodes[place].value
    }

    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut gradients = self.gradients.borrow_mut();
        gradients[of] = 1.0;
        for place in (0..=of).rev() {
            let node = &self.nodes[place];
            if let Some((a, b)) = node.operands {
                let gradient = gradients[place];
                let (to_a, to_b) = if node.is_product {
                    (self.nodes[b].value, self.nodes[a].value)
                } else {
                    (1.0, 1.0)
                };
                gradients[a] += gradient * to_a;
                gradients[b] += gradient * to_b;
            }
        }
        gradients.clone()
    }
}

//# [every-path] Follows every path from `of` on its own without collecting what arrives at a place, so a chain of doublings takes exponential time.
use transformer_tutor::curriculum::gradients::tiny_tape::Record;

pub fn tiny_tape() -> Box<dyn Record> {
    Box::new(Paths {
        values: Vec::new(),
        operands: Vec::new(),
    })
}

struct Paths {
    values: Vec<f64>,
    operands: Vec<Vec<(usize, f64)>>,
}

impl Paths {
    fn walk(&self, place: usize, gradient: f64, gradients: &mut [f64]) {
        gradients[place] += gradient;
        for (operand, slope) in &self.operands[place] {
            self.walk(*operand, gradient * slope, gradients);
        }
    }
}

impl Record for Paths {
    fn input(&mut self, value: f64) -> usize {
        self.values.push(value);
        self.operands.push(Vec::new());
        self.values.len() - 1
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] + self.values[b];
        self.values.push(value);
        self.operands.push(vec![(a, 1.0), (b, 1.0)]);
        self.values.len() - 1
    }

    fn mul(&mut self, a: usize, b: usize) -> usize {
        let (left, right) = (self.values[a], self.values[b]);
        self.values.push(left * right);
        self.operands.push(vec![(a, right), (b, left)]);
        self.values.len() - 1
    }

    fn value(&self, place: usize) -> f64 {
        self.values[place]
    }

    fn gradients(&self, of: usize) -> Vec<f64> {
        let mut gradients = vec![0.0; self.values.len()];
        self.walk(of, 1.0, &mut gradients);
        gradients
    }
}
